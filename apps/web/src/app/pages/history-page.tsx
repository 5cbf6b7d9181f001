import { useTranslations } from 'use-intl'
import { useSearchParams } from '@fairlot/ui/navigation/router.tsx'
import { Sheet } from '@fairlot/ui/overlays/sheet.tsx'
import { FundsScreen } from '../../features/funds/funds-screen.tsx'
import { BackHeader } from '../back-header.tsx'
import { SmallPart } from '@fairlot/ui/feedback/boundary.tsx'
import { lazyWithMessages } from '../lazy-with-messages.tsx'

const OrderSheetById = lazyWithMessages(
  'trading',
  async () => (await import('../../features/trading/orders/order-sheet.tsx')).OrderSheetById,
)
const DepositFacts = lazyWithMessages(
  'payments',
  async () => (await import('../../features/funds/deposit/deposit-facts.tsx')).DepositFacts,
)

/** The account's transactions; the order or deposit of one opens in a sheet. */
export function HistoryPage() {
  const t = useTranslations()
  const [search, setSearch] = useSearchParams()
  const order = parseId(search.get('order'))
  const deposit = parseId(search.get('deposit'))
  const close = () => setSearch({}, { replace: true })
  return (
    <>
      <BackHeader title={t('screens.history')} />
      <FundsScreen />
      {order !== null && (
        <SmallPart key={order}>
          <OrderSheetById orderId={order} onClose={close} />
        </SmallPart>
      )}
      {deposit !== null && (
        <Sheet
          isOpen
          title={t('funds.group.money')}
          isTitleHidden
          closeLabel={t('app.close')}
          onClose={close}
        >
          <SmallPart>
            <DepositFacts id={deposit} />
          </SmallPart>
        </Sheet>
      )}
    </>
  )
}

/** The id in a query parameter; null for anything else. */
function parseId(text: string | null): number | null {
  const id = Number(text)
  return Number.isSafeInteger(id) && id > 0 ? id : null
}
