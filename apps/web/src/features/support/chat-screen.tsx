import type { BasicInfo } from '@fairlot/contract'
import { buttonClass } from '@fairlot/ui/button.tsx'
import { Dialog } from '@fairlot/ui/dialog.tsx'
import { EmptyState } from '@fairlot/ui/empty-state.tsx'
import { Skeleton } from '@fairlot/ui/skeleton.tsx'
import { ExternalLink, Headset } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link, navigate } from '@fairlot/ui/router.tsx'
import { useTranslations } from 'use-intl'
import { Icon } from '@fairlot/ui/icon.tsx'
import { useBasicInfoAnswer } from '../../live/basic-info.ts'
import { useIsLoggedIn } from '../../live/auth/token.ts'
import { Conversation } from './conversation.tsx'
import { Failed } from './failed.tsx'

/** Support as this deployment has it: the page of its service, or our own chat. `demo` opens a demo account. */
export function ChatScreen({ demo }: { demo: ReactNode }) {
  const isLoggedIn = useIsLoggedIn()
  const { data, error, refetch } = useBasicInfoAnswer()
  if (data && data.serviceLink !== '') return <Service info={data} />
  if (data) return isLoggedIn ? <Conversation /> : <LogInFirst demo={demo} />
  return error ? (
    <Failed error={error} onRetry={() => void refetch()} />
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
        <bdi className="text-note wrap-anywhere text-second">{serviceLink}</bdi>
        {link}
      </Dialog>
    )
  return (
    <div className="mx-auto flex w-full max-w-2xl grow flex-col gap-3 px-4 pb-4">
      {/* It is another house's page: it may run, but neither lead ours elsewhere nor learn where it stands. */}
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

function LogInFirst({ demo }: { demo: ReactNode }) {
  const t = useTranslations()
  return (
    <EmptyState
      icon={Headset}
      title={t('support.visitorTitle')}
      text={t('support.visitorText')}
      action={
        <div className="flex flex-wrap justify-center gap-2">
          <Link to="/login?from=/mine/chat" className={buttonClass()}>
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
