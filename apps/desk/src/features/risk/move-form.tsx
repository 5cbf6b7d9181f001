import type { BookLine } from '@fairlot/contract/desk'
import { Button } from '@fairlot/ui/button.tsx'
import { TextField } from '@fairlot/ui/field.tsx'
import { SelectField } from '@fairlot/ui/select-field.tsx'
import { type FormEvent, useState } from 'react'
import { type AskedMove, NO_MOVE, readPercent } from './move.ts'

type MoveFormProps = {
  /** What somebody holds: nothing else would change anything. */
  book: readonly BookLine[]
  onAsk: (move: AskedMove) => void
}

const ALL = 'all'

/** Asks how far which prices move. */
export function MoveForm({ book, onAsk }: MoveFormProps) {
  const [text, setText] = useState(String(NO_MOVE.asked.percent))
  const [scope, setScope] = useState(ALL)
  const [isWrong, setIsWrong] = useState(false)
  const categories = [...new Set(book.map(({ category }) => category))].toSorted()
  const options = [
    { value: ALL, label: 'All instruments' },
    ...categories.map((category) => ({ value: `category ${category}`, label: `All ${category}` })),
    ...book.map(({ instrumentId, code }) => ({ value: `instrument ${instrumentId}`, label: code })),
  ]
  const ask = (event: FormEvent) => {
    event.preventDefault()
    const percent = readPercent(text)
    setIsWrong(percent === null)
    if (percent === null) return
    const label = options.find(({ value }) => value === scope)?.label ?? 'All instruments'
    onAsk({ asked: { percent, ...scopeOf(scope) }, scope: label })
  }
  return (
    <form onSubmit={ask} className="flex flex-wrap items-start gap-3">
      <div className="w-36">
        <TextField
          label="Move, percent"
          value={text}
          inputMode="text"
          dir="ltr"
          onChange={setText}
          problem={isWrong ? 'From −90 to 300, two decimals at most.' : null}
        />
      </div>
      <div className="min-w-48 flex-1">
        <SelectField label="Of" value={scope} options={options} onChange={setScope} />
      </div>
      <div className="self-end">
        <Button type="submit">Work it out</Button>
      </div>
    </form>
  )
}

function scopeOf(scope: string): Pick<AskedMove['asked'], 'instrumentId' | 'category'> {
  const [kind, ...rest] = scope.split(' ')
  const name = rest.join(' ')
  return {
    instrumentId: kind === 'instrument' ? Number(name) : null,
    category: kind === 'category' ? name : null,
  }
}
