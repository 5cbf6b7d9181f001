import type { MouseEvent, ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { Sheet } from '../../ui/sheet.tsx'

type TradeDrawerProps = { isOpen: boolean; onClose: () => void; list: ReactNode }

/** The list of instruments at the leading edge. Picking one closes it, also the one already shown. */
export function TradeDrawer({ isOpen, onClose, list }: TradeDrawerProps) {
  const t = useTranslations()
  const closeOnPick = (event: MouseEvent) => {
    if (event.target instanceof Element && event.target.closest('a')) onClose()
  }
  return (
    <Sheet
      isOpen={isOpen}
      onClose={onClose}
      side="start"
      title={t('trade.instruments')}
      closeLabel={t('app.close')}
    >
      <div className="-mx-4" onClick={closeOnPick}>
        {list}
      </div>
    </Sheet>
  )
}
