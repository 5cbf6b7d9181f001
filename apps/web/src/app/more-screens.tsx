import { Hammer } from 'lucide-react'
import { type ComponentType, lazy } from 'react'
import { useTranslations } from 'use-intl'
import { buttonClass } from '@fairlot/ui/controls/button.tsx'
import { EmptyState } from '@fairlot/ui/feedback/empty-state.tsx'
import { Link } from '@fairlot/ui/navigation/router.tsx'
import { navigate, useSearchParams } from '@fairlot/ui/navigation/router.tsx'
import { useBasicInfoAnswer } from '../live/basic-info.ts'
import { BackHeader } from './back-header.tsx'
import { CopiedOrders } from './copied-orders.tsx'
import { ScreenSkeleton } from './error-boundary.tsx'
import { lazyWithMessages } from './lazy-with-messages.tsx'
import { MainHeader } from './main-header.tsx'
import { pathAfterLogin, pathOf, pathWithFrom, type RouteName } from './routes.ts'
const OrdersScreen = lazyWithMessages(
  'trading',
  async () => (await import('../features/trading/orders/orders-screen.tsx')).OrdersScreen,
)
const RegisterScreen = lazyWithMessages(
  'account',
  async () => (await import('../features/auth/register-screen.tsx')).RegisterScreen,
)
const ForgotScreen = lazyWithMessages(
  'account',
  async () => (await import('../features/auth/forgot-screen.tsx')).ForgotScreen,
)
const PasswordScreen = lazyWithMessages(
  'account',
  async () => (await import('../features/auth/security/password-screen.tsx')).PasswordScreen,
)
const OwnDataScreen = lazyWithMessages(
  'account',
  async () => (await import('../features/auth/own-data/own-data-screen.tsx')).OwnDataScreen,
)
const CompaniesScreen = lazyWithMessages(
  'content',
  async () => (await import('../features/company/companies-screen.tsx')).CompaniesScreen,
)
const ProductScreen = lazy(async () => ({
  default: (await import('../features/market/product-screen.tsx')).ProductScreen,
}))

const NarrowHeader = ({ title }: { title: string }) => <BackHeader isNarrow title={title} />

/** Opens a real account, then leads to the screen the visitor wanted to open. */
function RegisterPage() {
  const [query] = useSearchParams()
  const from = query.get('from')
  return (
    <RegisterScreen
      inviteCode={query.get('invite_code') ?? ''}
      loginPath={pathWithFrom('login', from)}
      onRegistered={() => navigate(pathAfterLogin(from), { replace: true })}
    />
  )
}

/** Sets a new password, then leads back to the log-in. */
function ForgotPage() {
  const [query] = useSearchParams()
  return <ForgotScreen onDone={() => navigate(pathWithFrom('login', query.get('from')), { replace: true })} />
}

const PasswordPage = () => <PasswordScreen onDone={() => navigate(pathOf('user'), { replace: true })} />

const DataPage = () => <OwnDataScreen onClosed={() => navigate(pathOf('home'), { replace: true })} />

/** The search: for companies if the deployment is a directory of them, else for instruments. */
function ProductPage() {
  const t = useTranslations('screens')
  const { data, isLoading } = useBasicInfoAnswer()
  const isDirectory = data?.appMode === 'main'
  return (
    <>
      <BackHeader title={t(isDirectory ? 'companies' : 'product')} />
      {isLoading ? <ScreenSkeleton /> : isDirectory ? <CompaniesScreen /> : <ProductScreen />}
    </>
  )
}

const OrdersPage = () => <OrdersScreen copied={<CopiedOrders />} />

/** A screen below a header with its title. */
const withHeader = (Header: ComponentType<{ title: string }>, name: RouteName, Screen: ComponentType) =>
  function Page() {
    const t = useTranslations('screens')
    return (
      <>
        <Header title={t(name)} />
        <Screen />
      </>
    )
  }

const screens: Partial<Record<RouteName, ComponentType>> = {
  order: withHeader(MainHeader, 'order', OrdersPage),
  user: lazyWithMessages('account', async () => (await import('./pages/user-page.tsx')).UserPage),
  register: withHeader(NarrowHeader, 'register', RegisterPage),
  forgot: withHeader(NarrowHeader, 'forgot', ForgotPage),
  product: ProductPage,
  history: lazyWithMessages('account', async () => (await import('./pages/history-page.tsx')).HistoryPage),
  activity: withHeader(
    BackHeader,
    'activity',
    lazyWithMessages(
      'account',
      async () => (await import('../features/user/activity-screen.tsx')).ActivityScreen,
    ),
  ),
  data: withHeader(BackHeader, 'data', DataPage),
  notices: lazyWithMessages('account', async () => (await import('./pages/notices-page.tsx')).NoticesPage),
  terms: withHeader(
    BackHeader,
    'terms',
    lazyWithMessages(
      'trading',
      async () => (await import('../features/trading/terms/terms-screen.tsx')).TermsScreen,
    ),
  ),
  auth: withHeader(
    BackHeader,
    'auth',
    lazyWithMessages(
      'payments',
      async () => (await import('../features/identity/identity-screen.tsx')).IdentityScreen,
    ),
  ),
  charge: withHeader(
    BackHeader,
    'charge',
    lazyWithMessages(
      'payments',
      async () => (await import('../features/funds/deposit/deposit-screen.tsx')).DepositScreen,
    ),
  ),
  withdraw: withHeader(
    BackHeader,
    'withdraw',
    lazyWithMessages(
      'payments',
      async () => (await import('../features/funds/withdraw/withdraw-screen.tsx')).WithdrawScreen,
    ),
  ),
  wallet: withHeader(
    BackHeader,
    'wallet',
    lazyWithMessages(
      'payments',
      async () => (await import('../features/funds/wallet/wallet-screen.tsx')).WalletScreen,
    ),
  ),
  coinAddressList: withHeader(
    BackHeader,
    'coinAddressList',
    lazyWithMessages(
      'payments',
      async () => (await import('../features/funds/wallet/wallet-screen.tsx')).CoinAddressList,
    ),
  ),
  bankCardList: withHeader(
    BackHeader,
    'bankCardList',
    lazyWithMessages(
      'payments',
      async () => (await import('../features/funds/wallet/wallet-screen.tsx')).BankAccountList,
    ),
  ),
  withdrawWay: withHeader(
    BackHeader,
    'withdrawWay',
    lazyWithMessages(
      'payments',
      async () => (await import('../features/funds/wallet/add-method-screen.tsx')).AddMethodScreen,
    ),
  ),
  rank: lazyWithMessages('copying', async () => (await import('./pages/rank-page.tsx')).RankPage),
  strategy: lazyWithMessages('copying', async () => (await import('./pages/copying-pages.tsx')).StrategyPage),
  startCopy: lazyWithMessages(
    'copying',
    async () => (await import('./pages/copying-pages.tsx')).StartCopyPage,
  ),
  copy: lazyWithMessages('copying', async () => (await import('./pages/copying-pages.tsx')).CopyPage),
  method: withHeader(
    BackHeader,
    'method',
    lazyWithMessages(
      'copying',
      async () => (await import('../features/copying/method-screen.tsx')).MethodScreen,
    ),
  ),
  ownStrategy: withHeader(
    BackHeader,
    'ownStrategy',
    lazyWithMessages(
      'copying',
      async () => (await import('../features/copying/own-strategy-screen.tsx')).OwnStrategyScreen,
    ),
  ),
  news: withHeader(
    MainHeader,
    'news',
    lazyWithMessages('content', async () => (await import('../features/news/news-screen.tsx')).NewsScreen),
  ),
  newsDetail: withHeader(
    BackHeader,
    'newsDetail',
    lazyWithMessages(
      'content',
      async () => (await import('../features/news/news-detail-screen.tsx')).NewsDetailScreen,
    ),
  ),
  announcement: withHeader(
    BackHeader,
    'announcement',
    lazyWithMessages(
      'content',
      async () => (await import('../features/news/news-screen.tsx')).AnnouncementScreen,
    ),
  ),
  invite: withHeader(
    BackHeader,
    'invite',
    lazyWithMessages(
      'content',
      async () => (await import('../features/invite/invite-screen.tsx')).InviteScreen,
    ),
  ),
  feedback: withHeader(
    BackHeader,
    'feedback',
    lazyWithMessages(
      'content',
      async () => (await import('../features/user/feedback-screen.tsx')).FeedbackScreen,
    ),
  ),
  chat: lazyWithMessages('account', async () => (await import('./pages/chat-page.tsx')).ChatPage),
  email: withHeader(
    BackHeader,
    'email',
    lazyWithMessages(
      'account',
      async () => (await import('../features/support/email-screen.tsx')).EmailScreen,
    ),
  ),
  reportText: lazyWithMessages(
    'account',
    async () => (await import('./pages/report-text-page.tsx')).ReportTextPage,
  ),
  password: withHeader(NarrowHeader, 'password', PasswordPage),
  system: lazyWithMessages('account', async () => (await import('./pages/system-page.tsx')).SystemPage),
  language: withHeader(
    BackHeader,
    'language',
    lazyWithMessages(
      'account',
      async () => (await import('../features/settings/language-screen.tsx')).LanguageScreen,
    ),
  ),
}

/** Every screen that `screens.tsx` does not contain. Null: no such path. */
export function MoreScreen({ name }: { name: RouteName | null }) {
  const Screen = name && screens[name]
  return Screen ? <Screen /> : <NotFoundScreen />
}

/** Loads the orders screen with its texts. */
export const preloadOrders = OrdersScreen.preload

/** Shown for an unknown path. */
function NotFoundScreen() {
  const t = useTranslations('app')
  return (
    <>
      <BackHeader title={t('notFound')} />
      <EmptyState
        icon={Hammer}
        title={t('notFound')}
        text={t('notFoundText')}
        action={
          <Link to="/" className={buttonClass('outline')}>
            {t('toMarkets')}
          </Link>
        }
      />
    </>
  )
}
