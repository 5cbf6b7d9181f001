import { addPersonNote, listPersonNotes } from '@fairlot/contract/desk'
import { Button } from '@fairlot/ui/button.tsx'
import { Card } from '@fairlot/ui/card.tsx'
import { TextAreaField } from '@fairlot/ui/text-area-field.tsx'
import { useState } from 'react'
import { moment } from '../../i18n/moments.ts'
import { useMay } from '../../live/session.ts'
import { useDeskAct } from '../../live/use-desk-act.ts'
import { usePaged } from '../../live/use-paged.ts'
import { DataTable } from '../../ui/data-table.tsx'
import { useNow } from '../../ui/use-now.ts'
import type { TabProps } from './person-props.ts'

/** What operators wrote for each other. Nothing of it can be changed or deleted. */
export function NotesTab({ person }: TabProps) {
  const { id } = person.user
  const now = useNow()
  const { table } = usePaged(listPersonNotes, { id }, { rowsOf: ({ notes }) => notes })
  return (
    <div className="flex max-w-3xl flex-col gap-4">
      {useMay('notePerson') && (
        <Card>
          <NewNote id={id} />
        </Card>
      )}
      <DataTable
        {...table}
        label="Notes"
        columns={[
          {
            key: 'text',
            title: 'Note',
            cell: ({ text }) => <span className="break-words whitespace-pre-wrap">{text}</span>,
            onPhone: 'title',
          },
          { key: 'who', title: 'By', cell: ({ operator, role }) => `${operator} (${role})` },
          { key: 'at', title: 'When', cell: ({ at }) => moment(at, now), align: 'end' },
        ]}
        keyOf={(note) => note.id}
        empty={{ title: 'No notes yet', text: 'The person does not see what is written here.' }}
      />
    </div>
  )
}

function NewNote({ id }: { id: number }) {
  const [text, setText] = useState('')
  const { run, isBusy, problem } = useDeskAct(addPersonNote, { done: 'The note is kept.', isQuiet: true })
  const send = async () => {
    const done = await run({ id, text })
    if (done.ok) setText('')
  }
  return (
    <form
      className="flex flex-col gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        void send()
      }}
    >
      <TextAreaField
        label="New note"
        value={text}
        problem={problem}
        hint="For colleagues only; it can be neither changed nor deleted."
        onChange={setText}
      />
      <div>
        <Button type="submit" size="small" isBusy={isBusy} disabled={text.trim() === ''}>
          Keep note
        </Button>
      </div>
    </form>
  )
}
