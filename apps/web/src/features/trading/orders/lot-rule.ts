import type { OrderView } from '@fairlot/contract'
import { useInstrument } from '../../../live/instruments.ts'
import type { LotRule } from './part.ts'

/** The sizes of an order's instrument. An order knows its step; the smallest size comes with the list. */
export function useLotRule({ instrument }: Pick<OrderView, 'instrument'>): LotRule {
  const listing = useInstrument(instrument.id)
  return { lotStep: instrument.lotStep, lotMin: listing?.lotMin ?? instrument.lotStep }
}
