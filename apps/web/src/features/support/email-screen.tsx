import { buttonClass } from '@fairlot/ui/button.tsx'
import { Card } from '@fairlot/ui/card.tsx'
import { CopyButton } from '@fairlot/ui/copy-button.tsx'
import { EmptyState } from '@fairlot/ui/empty-state.tsx'
import { Skeleton } from '@fairlot/ui/skeleton.tsx'
import { Mail } from 'lucide-react'
import { Link } from '@fairlot/ui/router.tsx'
import { useTranslations } from 'use-intl'
import { Failed } from './failed.tsx'
import { useUser } from '../../live/auth/user.ts'
import { useSupportEmail } from './queries.ts'

/** The address that complaints go to, to be copied or written to. */
export function EmailScreen() {
  const { data, error, refetch } = useSupportEmail()
  if (data) return data.email === '' ? <NoAddress /> : <Address email={data.email} />
  if (error) return <Failed error={error} onRetry={() => void refetch()} />
  return (
    <div className="px-4">
      <Skeleton shape="mx-auto h-40 w-full max-w-2xl" />
    </div>
  )
}

function Address({ email }: { email: string }) {
  const t = useTranslations('support')
  const user = useUser()
  const address = `mailto:${encodeURIComponent(email).replaceAll('%40', '@')}`
  const subject = user && `?subject=${encodeURIComponent(t('emailSubject', { id: user.uid }))}`
  return (
    <div className="mx-auto flex max-w-2xl flex-col gap-3 px-4 pb-6">
      <Card>
        <p className="text-note text-second">{t('emailText')}</p>
        <p className="mt-3 text-title font-bold wrap-anywhere select-all">
          <bdi>{email}</bdi>
        </p>
        <div className="mt-4 flex flex-wrap gap-2 *:grow">
          <a href={`${address}${subject ?? ''}`} className={buttonClass()}>
            {t('emailWrite')}
          </a>
          <CopyButton
            text={email}
            label={t('emailCopy')}
            doneLabel={t('emailCopied')}
            failedText={t('emailCopyFailed')}
          />
        </div>
      </Card>
    </div>
  )
}

function NoAddress() {
  const t = useTranslations('support')
  return (
    <EmptyState
      icon={Mail}
      title={t('emailNone')}
      text={t('emailNoneText')}
      action={
        <Link to="/mine/chat" className={buttonClass('outline')}>
          {t('toChat')}
        </Link>
      }
    />
  )
}
