import { Suspense } from 'react'
import { useSearchParams } from '@fairlot/ui/router.tsx'
import { useTranslations } from 'use-intl'
import { FundsScreen } from '../../features/funds/funds-screen.tsx'
import { Sheet } from '@fairlot/ui/sheet.tsx'
import { BackHeader } from '../back-header.tsx'
import { worded } from '../worded.tsx'

const OrderOf = worded(
  'trading',
  async () => (await import('../../features/trading/orders/order-of.tsx')).OrderOf,
)
const DepositFacts = worded(
  'payments',
  async () => (await import('../../features/funds/charge/deposit-facts.tsx')).DepositFacts,
)

/** The account's movements; an order or a deposit that one of them leads to opens above them. */
export function HistoryPage() {
  const t = useTranslations()
  const [search, setSearch] = useSearchParams()
  const order = idIn(search.get('order'))
  const deposit = idIn(search.get('deposit'))
  const close = () => setSearch({}, { replace: true })
  return (
    <>
      <BackHeader title={t('screens.history')} />
      <FundsScreen />
      {order !== null && (
        <Suspense fallback={null}>
          <OrderOf key={order} orderId={order} onClose={close} />
        </Suspense>
      )}
      {deposit !== null && (
        <Sheet
          isOpen
          title={t('funds.group.money')}
          isTitleHidden
          closeLabel={t('app.close')}
          onClose={close}
        >
          <Suspense fallback={null}>
            <DepositFacts id={deposit} />
          </Suspense>
        </Sheet>
      )}
    </>
  )
}

/** The number of a row; null for anything else. */
function idIn(text: string | null): number | null {
  const id = Number(text)
  return Number.isSafeInteger(id) && id > 0 ? id : null
}
