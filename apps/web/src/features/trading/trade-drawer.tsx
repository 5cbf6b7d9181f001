import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { Sheet } from '../../ui/sheet.tsx'

type TradeDrawerProps = { isOpen: boolean; onClose: () => void; list: ReactNode }

/** The list of instruments at the leading edge. */
export function TradeDrawer({ isOpen, onClose, list }: TradeDrawerProps) {
  const t = useTranslations()
  return (
    <Sheet
      isOpen={isOpen}
      onClose={onClose}
      side="start"
      title={t('trade.instruments')}
      closeLabel={t('app.close')}
    >
      <div className="-mx-4">{list}</div>
    </Sheet>
  )
}
