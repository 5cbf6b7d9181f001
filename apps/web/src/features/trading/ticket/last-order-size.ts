import type { Instrument } from '@fairlot/core'
import { readStored, writeStored } from '../../../live/device/storage.ts'
import { lotText } from './lot-text.ts'
import { freshTicket, type TicketState } from './ticket-state.ts'

type Size = { readonly lots: string; readonly leverage: number | null }

/** Size of the last order by instrument code, as this device remembers it; other JSON counts as nothing. */
function remembered(): Record<string, unknown> {
  try {
    const kept: unknown = JSON.parse(readStored('ticket') ?? '{}')
    return typeof kept === 'object' && kept !== null ? { ...kept } : {}
  } catch {
    return {}
  }
}

const isSize = (value: unknown): value is Size =>
  typeof value === 'object' &&
  value !== null &&
  'lots' in value &&
  'leverage' in value &&
  typeof value.lots === 'string'

/** A ticket of an instrument, with the size of the last order on it, else the smallest one. */
export function startTicket(instrument: Instrument): TicketState {
  const size = remembered()[instrument.code]
  const { leverages, lotMin, lotStep } = instrument
  const offered = leverages.find((leverage) => isSize(size) && leverage === size.leverage)
  return freshTicket(isSize(size) ? size.lots : lotText(lotMin, lotStep), offered ?? leverages.at(-1) ?? null)
}

export function rememberSize(instrument: Instrument, { lots, leverage }: Size): void {
  writeStored('ticket', JSON.stringify({ ...remembered(), [instrument.code]: { lots, leverage } }))
}
