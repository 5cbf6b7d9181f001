import type { OrderView } from '@fairlot/contract'
import { signsOf } from '../../../i18n/currency.ts'
import { useInstrument } from '../../../live/instruments.ts'
import { Mark } from '../../../ui/mark.tsx'

/** The drawn logo of an order's instrument. The list knows its currencies; an order by itself only its code. */
export function OrderMark({ instrument }: Pick<OrderView, 'instrument'>) {
  const listed = useInstrument(instrument.id)
  return <Mark signs={listed ? signsOf(listed) : [instrument.code.slice(0, 1)]} />
}
