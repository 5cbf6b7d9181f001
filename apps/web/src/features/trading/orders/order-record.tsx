import type { OrderView } from '@fairlot/contract'
import { type ReactNode, useState } from 'react'
import { useTranslations } from 'use-intl'
import { DefinitionList } from '@fairlot/ui/figures/definition-list.tsx'
import { Sheet } from '@fairlot/ui/overlays/sheet.tsx'
import { asName } from '@fairlot/ui/figures/names.tsx'
import { Heading, useOrderTerms } from './order-sheet.tsx'
import { OrderHead } from './orders-screen.tsx'
import { ReceiptCard } from './receipt.tsx'

type OrderRecordProps = {
  order: OrderView
  /** A button beside an open position. */
  action?: ReactNode
}

/** One order of a copy; a tap opens its terms and receipts. It cannot be changed here. */
export function OrderRecord({ order, action }: OrderRecordProps) {
  const t = useTranslations('app')
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <OrderHead order={order} onOpen={() => setIsOpen(true)} />
      {action !== undefined && <div className="-mt-1.5 flex justify-end pb-1">{action}</div>}
      <Sheet
        isOpen={isOpen}
        title={asName(order.instrument.showCode)}
        isTitleHidden
        closeLabel={t('close')}
        onClose={() => setIsOpen(false)}
      >
        <Content order={order} />
      </Sheet>
    </>
  )
}

function Content({ order }: { order: OrderView }) {
  return (
    <div className="flex flex-col gap-3 pt-3 pb-4">
      <Heading order={order} />
      <div className="rounded-card px-3.5 py-1.5 ring-1 ring-line ring-inset">
        <DefinitionList rows={useOrderTerms(order)} />
      </div>
      {order.receipts.map((receipt) => (
        <ReceiptCard key={receipt.hash ?? `${receipt.action}${receipt.at}`} receipt={receipt} order={order} />
      ))}
    </div>
  )
}
