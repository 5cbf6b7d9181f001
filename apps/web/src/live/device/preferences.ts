import { create } from 'zustand'
import { readStored, writeStored } from './storage.ts'

export type Theme = 'system' | 'light' | 'dark'
/** Colour of a rising price; `language` follows the convention of the user's language. */
export type Rise = 'language' | 'green' | 'red'

export type Preferences = { theme: Theme; rise: Rise; isBalanceHidden: boolean }

const oneOf = <Value extends string>(
  text: string | null,
  values: readonly Value[],
  otherwise: Value,
): Value => values.find((value) => value === text) ?? otherwise

/** The user's settings on this device, apart from the language. */
export const usePreferences = create<Preferences>(() => ({
  theme: oneOf(readStored('theme'), ['system', 'light', 'dark'], 'system'),
  rise: oneOf(readStored('rise'), ['language', 'green', 'red'], 'language'),
  isBalanceHidden: readStored('isBalanceHidden') === 'yes',
}))

export function setPreferences(change: Partial<Preferences>): void {
  usePreferences.setState(change)
  const { theme, rise, isBalanceHidden } = usePreferences.getState()
  writeStored('theme', theme === 'system' ? null : theme)
  writeStored('rise', rise === 'language' ? null : rise)
  writeStored('isBalanceHidden', isBalanceHidden ? 'yes' : null)
}
