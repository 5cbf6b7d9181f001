import type { ComponentType } from 'react'
import { BackHeader } from './back-header.tsx'
import { BuildingScreen, NotFoundScreen } from './building-screen.tsx'
import { MainHeader } from './main-header.tsx'
import { ProductPage } from './pages/product-page.tsx'
import type { RouteName } from './routes.ts'
import { under } from './under.tsx'
import { worded } from './worded.tsx'

const OrdersScreen = worded(
  'trading',
  async () => (await import('../features/trading/orders/orders-screen.tsx')).OrdersScreen,
)

const screens: Partial<Record<RouteName, ComponentType>> = {
  order: under(MainHeader, 'order', OrdersScreen),
  user: worded('own', async () => (await import('./pages/user-page.tsx')).UserPage),
  register: worded('own', async () => (await import('./pages/register-page.tsx')).RegisterPage),
  forgot: worded('own', async () => (await import('./pages/forgot-page.tsx')).ForgotPage),
  product: ProductPage,
  history: worded('own', async () => (await import('./pages/history-page.tsx')).HistoryPage),
  activity: under(
    BackHeader,
    'activity',
    worded('own', async () => (await import('../features/user/activity-screen.tsx')).ActivityScreen),
  ),
  data: worded('own', async () => (await import('./pages/data-page.tsx')).DataPage),
  notices: under(
    BackHeader,
    'notices',
    worded('own', async () => (await import('../features/user/notices-screen.tsx')).NoticesScreen),
  ),
  terms: under(
    BackHeader,
    'terms',
    worded('trading', async () => (await import('../features/trading/terms/terms-screen.tsx')).TermsScreen),
  ),
  auth: under(
    BackHeader,
    'auth',
    worded('payments', async () => (await import('../features/identity/identity-screen.tsx')).IdentityScreen),
  ),
  charge: under(
    BackHeader,
    'charge',
    worded('payments', async () => (await import('../features/funds/charge/charge-screen.tsx')).ChargeScreen),
  ),
  withdraw: under(
    BackHeader,
    'withdraw',
    worded(
      'payments',
      async () => (await import('../features/funds/withdraw/withdraw-screen.tsx')).WithdrawScreen,
    ),
  ),
  wallet: under(
    BackHeader,
    'wallet',
    worded('payments', async () => (await import('../features/funds/wallet/wallet-screen.tsx')).WalletScreen),
  ),
  coinAddressList: under(
    BackHeader,
    'coinAddressList',
    worded(
      'payments',
      async () => (await import('../features/funds/wallet/method-list.tsx')).CoinAddressList,
    ),
  ),
  bankCardList: under(
    BackHeader,
    'bankCardList',
    worded(
      'payments',
      async () => (await import('../features/funds/wallet/method-list.tsx')).BankAccountList,
    ),
  ),
  withdrawWay: under(
    BackHeader,
    'withdrawWay',
    worded('payments', async () => (await import('../features/funds/wallet/bind-screen.tsx')).BindScreen),
  ),
  news: under(
    MainHeader,
    'news',
    worded('reading', async () => (await import('../features/news/news-screen.tsx')).NewsScreen),
  ),
  newsDetail: under(
    BackHeader,
    'newsDetail',
    worded('reading', async () => (await import('../features/news/news-detail-screen.tsx')).NewsDetailScreen),
  ),
  announcement: under(
    BackHeader,
    'announcement',
    worded('reading', async () => (await import('../features/news/news-screen.tsx')).AnnouncementScreen),
  ),
  invite: under(
    BackHeader,
    'invite',
    worded('reading', async () => (await import('../features/invite/invite-screen.tsx')).InviteScreen),
  ),
  feedback: under(
    BackHeader,
    'feedback',
    worded('reading', async () => (await import('../features/user/feedback-screen.tsx')).FeedbackScreen),
  ),
  chat: worded('own', async () => (await import('./pages/chat-page.tsx')).ChatPage),
  email: under(
    BackHeader,
    'email',
    worded('own', async () => (await import('../features/support/email-screen.tsx')).EmailScreen),
  ),
  password: worded('own', async () => (await import('./pages/password-page.tsx')).PasswordPage),
  system: worded('own', async () => (await import('./pages/system-page.tsx')).SystemPage),
  language: under(
    BackHeader,
    'language',
    worded('own', async () => (await import('../features/settings/language-screen.tsx')).LanguageScreen),
  ),
}

/** A screen beside those of `screens.tsx`; those that come with their own issues say so. Null: no such path. */
export function MoreScreen({ name }: { name: RouteName | null }) {
  if (name === null) return <NotFoundScreen />
  const Built = screens[name]
  return Built ? <Built /> : <BuildingScreen name={name} />
}

/** Fetches the screen of the orders with its words. */
export const fetchOrders = OrdersScreen.load
