import { Mail } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { buttonClass } from '@fairlot/ui/controls/button.tsx'
import { Card } from '@fairlot/ui/layout/card.tsx'
import { CopyButton } from '@fairlot/ui/controls/copy-button.tsx'
import { EmptyState } from '@fairlot/ui/feedback/empty-state.tsx'
import { Link } from '@fairlot/ui/navigation/router.tsx'
import { Skeleton } from '@fairlot/ui/feedback/skeleton.tsx'
import { useUser } from '../../live/session/user.ts'
import { FailedState } from '../../ui/failed-state.tsx'
import { useSupportEmail } from './queries.ts'

/** The address for complaints, to copy or to write to. */
export function EmailScreen() {
  const t = useTranslations('support')
  const { data, error, refetch } = useSupportEmail()
  if (data)
    return data.email === '' ? (
      <NoAddress />
    ) : isPage(data.email) ? (
      <ComplaintPage address={data.email} />
    ) : (
      <Address email={data.email} />
    )
  if (error) return <FailedState title={t('failed')} error={error} onRetry={() => void refetch()} />
  return (
    <div className="px-4">
      <Skeleton shape="mx-auto h-40 w-full max-w-2xl" />
    </div>
  )
}

/** The broker may take complaints on a page of its own. */
const isPage = (address: string): boolean => address.startsWith('https://')

function ComplaintPage({ address }: { address: string }) {
  const t = useTranslations('support')
  return (
    <div className="mx-auto flex max-w-2xl flex-col gap-3 px-4 pb-6">
      <Card>
        <p className="text-note text-second">{t('complaintPageText')}</p>
        <p className="mt-3 font-bold wrap-anywhere">
          <bdi dir="ltr" translate="no">
            {address}
          </bdi>
        </p>
        <div className="mt-4 flex flex-wrap gap-2 *:grow">
          <a href={address} target="_blank" rel="noreferrer" className={buttonClass()}>
            {t('complaintPageOpen')}
          </a>
          <CopyButton
            text={address}
            label={t('emailCopy')}
            doneLabel={t('emailCopied')}
            failedText={t('emailCopyFailed')}
          />
        </div>
      </Card>
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
          <bdi translate="no">{email}</bdi>
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
