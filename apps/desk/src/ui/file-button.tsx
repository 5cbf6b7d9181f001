import { encode } from '@fairlot/contract'
import { type DeskExport, mayDo } from '@fairlot/contract/desk'
import { Button } from '@fairlot/ui/controls/button.tsx'
import { Icon } from '@fairlot/ui/graphics/icon.tsx'
import { showToast } from '@fairlot/ui/feedback/toast.ts'
import { Download } from 'lucide-react'
import { useState } from 'react'
import { fetchFile } from '../live/request.ts'
import { useSelf } from '../live/session.ts'

type Unpaged<Input> = [Input] extends [null] ? null : Omit<Input, 'page'>

type CsvButtonProps<Input> = {
  file: DeskExport<Input>
  /** The parameters of the list on the screen, without its page. */
  input: Unpaged<Input>
  /** What the list is about, for the file name. */
  of?: string | number
}

/** Saves all rows of the list on the screen as a file. Hidden from roles that may not export. */
export function CsvButton<Input>({ file, input, of }: CsvButtonProps<Input>) {
  const { role } = useSelf()
  if (!mayDo(role, file.permission)) return null
  const name = of === undefined ? file.name : `${file.name}-${of}`
  return <FileButton path={pathOf(file, input)} fileName={`${name}.csv`} label="Export" />
}

/** The address of the export, with the criteria of the list. */
function pathOf<Input>({ path, list }: DeskExport<Input>, input: Unpaged<Input>): string {
  const paged = input === null ? null : { ...input, page: 1 }
  const parameters = Object.entries(encode(list.request, paged as Input) ?? {}).filter(
    ([name, value]) => name !== 'page' && value !== undefined && value !== null && value !== '',
  )
  const query = new URLSearchParams(parameters.map(([name, value]) => [name, String(value)])).toString()
  return query === '' ? path : `${path}?${query}`
}

type FileButtonProps = {
  /** The path on the server, with its query. */
  path: string
  /** The name of the saved file. */
  fileName: string
  label: string
}

/** Downloads a file from the server. The request carries the session token: the address alone is not enough. */
export function FileButton({ path, fileName, label }: FileButtonProps) {
  const [isBusy, setIsBusy] = useState(false)
  const save = async () => {
    setIsBusy(true)
    try {
      saveAs(await fetchFile(path), fileName)
    } catch (error) {
      showToast({ text: (error as Error).message, tone: 'problem' })
    }
    setIsBusy(false)
  }
  return (
    <Button tone="outline" size="small" isBusy={isBusy} onClick={() => void save()}>
      <Icon of={Download} size={16} />
      {label}
    </Button>
  )
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
