import { ExternalLink, Headset } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import type { BasicInfo } from '@fairlot/contract'
import { buttonClass } from '@fairlot/ui/controls/button.tsx'
import { Dialog } from '@fairlot/ui/overlays/dialog.tsx'
import { EmptyState } from '@fairlot/ui/feedback/empty-state.tsx'
import { Icon } from '@fairlot/ui/graphics/icon.tsx'
import { Link, navigate } from '@fairlot/ui/navigation/router.tsx'
import { Skeleton } from '@fairlot/ui/feedback/skeleton.tsx'
import { useIsLoggedIn } from '../../live/device/token.ts'
import { useBasicInfoAnswer } from '../../live/basic-info.ts'
import { FailedState } from '../../ui/failed-state.tsx'
import { Conversation } from './conversation.tsx'

/** Support as configured: an external service's page, or the built-in chat. `demo` is a button that opens a demo account. */
export function ChatScreen({ demo }: { demo: ReactNode }) {
  const isLoggedIn = useIsLoggedIn()
  const t = useTranslations('support')
  const { data, error, refetch } = useBasicInfoAnswer()
  if (data && data.serviceLink !== '') return <Service info={data} />
  if (data) return isLoggedIn ? <Conversation /> : <LogInFirst from="/mine/chat" demo={demo} />
  return error ? (
    <FailedState title={t('failed')} error={error} onRetry={() => void refetch()} />
  ) : (
    <div className="px-4">
      <Skeleton shape="mx-auto h-64 w-full max-w-2xl" />
    </div>
  )
}

function Service({ info: { serviceLink, serviceOpensIn } }: { info: BasicInfo }) {
  const t = useTranslations('support')
  const link = (
    <a
      href={serviceLink}
      target="_blank"
      rel="noopener noreferrer"
      className={buttonClass(serviceOpensIn === 'dialog' ? 'ink' : 'outline')}
    >
      <Icon of={ExternalLink} size={16} />
      {t('openService')}
    </a>
  )
  if (serviceOpensIn === 'dialog')
    return (
      <Dialog title={t('serviceTitle')} text={t('serviceText')} onClose={() => navigate(-1)}>
        <bdi translate="no" className="text-note wrap-anywhere text-second">
          {serviceLink}
        </bdi>
        {link}
      </Dialog>
    )
  return (
    <div className="mx-auto flex w-full max-w-2xl grow flex-col gap-3 px-4 pb-4">
      {/* A third party's page: it may run scripts, but neither navigate our page nor see its address. */}
      <iframe
        src={serviceLink}
        title={t('serviceTitle')}
        sandbox="allow-scripts allow-same-origin allow-forms allow-popups allow-popups-to-escape-sandbox"
        referrerPolicy="no-referrer"
        className="min-h-64 w-full grow rounded-card border border-line bg-surface"
      />
      {link}
    </div>
  )
}

/** Asks a visitor to log in, which leads back to `from`, to open a demo account, or to write an e-mail. */
export function LogInFirst({ from, demo }: { from: string; demo: ReactNode }) {
  const t = useTranslations()
  return (
    <EmptyState
      icon={Headset}
      title={t('support.visitorTitle')}
      text={t('support.visitorText')}
      action={
        <div className="flex flex-wrap justify-center gap-2">
          <Link to={`/login?from=${from}`} className={buttonClass()}>
            {t('account.logIn')}
          </Link>
          {demo}
          <Link to="/mine/email" className={buttonClass('outline')}>
            {t('support.byEmail')}
          </Link>
        </div>
      }
    />
  )
}
