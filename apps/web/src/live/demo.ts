import { create } from 'zustand'
import { readStored, writeStored } from './storage.ts'

/** The secret of the demo account of this device, with which it opens again; null when there is none. */
const useDemo = create<{ demoId: string | null }>(() => ({ demoId: readStored('demo') }))

export const keptDemo = (): string | null => useDemo.getState().demoId

/** Keeps the secret of a demo account, or forgets it. */
export function keepDemo(demoId: string | null): void {
  writeStored('demo', demoId)
  useDemo.setState({ demoId })
}

/** Whether a demo account of this device can be opened again. */
export const useHasDemo = (): boolean => useDemo(({ demoId }) => demoId !== null)
