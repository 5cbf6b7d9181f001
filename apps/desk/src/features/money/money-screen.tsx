import { lazy } from 'react'
import { SectionPages, type SectionPage } from '../../ui/section-pages.tsx'

const PaymentSetupScreen = lazy(async () => ({
  default: (await import('./payment-setup-screen.tsx')).PaymentSetupScreen,
}))

const MONEY_PAGES: readonly SectionPage[] = [
  { path: 'setup', title: 'Channels', act: 'viewPaymentSetup', Screen: PaymentSetupScreen },
]

/** Everything under Money. */
export const MoneyScreen = () => <SectionPages section="money" pages={MONEY_PAGES} />
