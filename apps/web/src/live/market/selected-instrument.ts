import { create } from 'zustand'
import { readStored, writeStored } from '../device/storage.ts'

type Selection = { code: string | null }

const useSelection = create<Selection>(() => ({ code: readStored('instrument') }))

/** Code of the selected instrument; null until one was selected on this device. */
export const useSelectedCode = (): string | null => useSelection((selection) => selection.code)

/** Selects the instrument of the trade screen, also for later visits. */
export function selectInstrument(code: string): void {
  useSelection.setState({ code })
  writeStored('instrument', code)
}

const TRADE = '/trade'

/** The page of an instrument. */
export const tradePath = (code: string): string => `${TRADE}?code=${encodeURIComponent(code)}`

/** The code of a listed instrument that the query of a link names, in any case of letters; null when it names none. */
export function codeIn(search: string, codes: readonly string[]): string | null {
  const named = new URLSearchParams(search).get('code')?.toUpperCase()
  return codes.find((code) => code.toUpperCase() === named) ?? null
}
