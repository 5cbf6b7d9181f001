import { lazy } from 'react'
import { SectionPages, type SectionPage } from '../../ui/page.tsx'

const PaymentSetupScreen = lazy(async () => ({
  default: (await import('./payment-setup-screen.tsx')).PaymentSetupScreen,
}))

const TransfersScreen = lazy(async () => ({
  default: (await import('./transfers-screen.tsx')).TransfersScreen,
}))

const MONEY_PAGES: readonly SectionPage[] = [
  { path: 'setup', title: 'Payment setup', permission: 'viewPaymentSetup', Screen: PaymentSetupScreen },
  { path: 'transfers', title: 'Transfers', permission: 'viewPayments', Screen: TransfersScreen },
]

/** Everything under Money. */
export const MoneyScreen = () => <SectionPages section="money" pages={MONEY_PAGES} />
