import { create } from 'zustand'
import { readStored, writeStored } from '../device/storage.ts'

type Selection = { code: string | null }

const useSelection = create<Selection>(() => ({ code: readStored('instrument') }))

/** Code of the instrument the reader looks at; null until one was picked on this device. */
export const useSelectedCode = (): string | null => useSelection((selection) => selection.code)

/** Picks the instrument that the trade screen shows, also after the next visit. */
export function selectInstrument(code: string): void {
  useSelection.setState({ code })
  writeStored('instrument', code)
}
