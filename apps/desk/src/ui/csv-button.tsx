import { encode } from '@fairlot/contract'
import { mayDo, type DeskExport } from '@fairlot/contract/desk'
import { Button } from '@fairlot/ui/button.tsx'
import { showToast } from '@fairlot/ui/toast.ts'
import { Icon } from '@fairlot/ui/icon.tsx'
import { Download } from 'lucide-react'
import { useState } from 'react'
import { fetchFile } from '../live/request.ts'
import { useSelf } from '../live/session.ts'

type Unpaged<Input> = [Input] extends [null] ? null : Omit<Input, 'page'>

type CsvButtonProps<Input> = {
  file: DeskExport<Input>
  /** What the list on the screen is asked, without its page. */
  input: Unpaged<Input>
  /** Whose list it is, or which: stands in the name of the file. */
  of?: string | number
}

/**
 * Saves the list on the screen, the whole of it, as a file; not there for whoever may not have one. The session's key goes with the call,
 * so a link alone is worth nothing.
 */
export function CsvButton<Input>({ file, input, of }: CsvButtonProps<Input>) {
  const [isBusy, setIsBusy] = useState(false)
  const { role } = useSelf()
  if (!mayDo(role, file.act)) return null
  const save = async () => {
    setIsBusy(true)
    try {
      const name = of === undefined ? file.name : `${file.name}-${of}`
      saveAs(await fetchFile(pathOf(file, input)), `${name}.csv`)
    } catch (error) {
      showToast({ text: (error as Error).message, tone: 'problem' })
    }
    setIsBusy(false)
  }
  return (
    <Button tone="outline" size="small" isBusy={isBusy} onClick={() => void save()}>
      <Icon of={Download} size={16} />
      Export
    </Button>
  )
}

/** The same question as that of the list: all pages of it. */
function pathOf<Input>({ path, list }: DeskExport<Input>, input: Unpaged<Input>): string {
  const whole = input === null ? null : { ...input, page: 1 }
  const asked = Object.entries(encode(list.request, whole as Input) ?? {}).filter(
    ([name, value]) => name !== 'page' && value !== undefined && value !== null && value !== '',
  )
  const query = new URLSearchParams(asked.map(([name, value]) => [name, String(value)])).toString()
  return query === '' ? path : `${path}?${query}`
}

function saveAs(file: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = name
  document.body.append(link)
  link.click()
  link.remove()
  URL.revokeObjectURL(link.href)
}
