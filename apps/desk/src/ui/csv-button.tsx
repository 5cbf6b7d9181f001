import { encode } from '@fairlot/contract'
import { mayDo, type DeskExport } from '@fairlot/contract/desk'
import { useSelf } from '../live/session.ts'
import { FileButton } from './file-button.tsx'

type Unpaged<Input> = [Input] extends [null] ? null : Omit<Input, 'page'>

type CsvButtonProps<Input> = {
  file: DeskExport<Input>
  /** What the list on the screen is asked, without its page. */
  input: Unpaged<Input>
  /** Whose list it is, or which: stands in the name of the file. */
  of?: string | number
}

/** Saves the list on the screen, the whole of it, as a file; not there for whoever may not have one. */
export function CsvButton<Input>({ file, input, of }: CsvButtonProps<Input>) {
  const { role } = useSelf()
  if (!mayDo(role, file.act)) return null
  const name = of === undefined ? file.name : `${file.name}-${of}`
  return <FileButton path={pathOf(file, input)} fileName={`${name}.csv`} label="Export" />
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
