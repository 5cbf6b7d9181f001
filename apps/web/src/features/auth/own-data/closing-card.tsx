import type { Closing, User } from '@fairlot/contract'
import { Card } from '@fairlot/ui/card.tsx'
import { Skeleton } from '@fairlot/ui/skeleton.tsx'
import { TextButton } from '@fairlot/ui/text-button.tsx'
import { useTranslations } from 'use-intl'
import { useLocale } from '../../../i18n/locale-provider.tsx'
import { ClosingForm } from './closing-form.tsx'
import { Obstacles } from './obstacles.tsx'
import { useClosing } from './queries.ts'
import { useProofKind } from './use-proof.ts'

type ClosingCardProps = { user: User; onClosed: () => void }

/** The end of the account: what has to be done first, or what will happen. */
export function ClosingCard({ user, onClosed }: ClosingCardProps) {
  const t = useTranslations()
  const { data, isError, refetch } = useClosing()
  return (
    <Card>
      <h2 className="mb-1 font-bold">{t('ownData.close')}</h2>
      {data ? (
        <Closeable user={user} closing={data} onClosed={onClosed} />
      ) : isError ? (
        <p className="text-note text-second">
          {t('ownData.closingFailed')}{' '}
          <TextButton onClick={() => void refetch()}>{t('app.retry')}</TextButton>
        </p>
      ) : (
        <Skeleton shape="h-24 w-full" />
      )}
    </Card>
  )
}

function Closeable({ user, closing, onClosed }: ClosingCardProps & { closing: Closing }) {
  const t = useTranslations('ownData')
  const { figures } = useLocale()
  const kind = useProofKind(user)
  const { obstacles, leftMax, balance } = closing
  if (user.restriction?.status === 'frozen')
    return <p className="text-note text-second">{t('closeFrozen')}</p>
  if (obstacles.length > 0) return <Obstacles obstacles={obstacles} leftMax={leftMax} />
  return (
    <>
      <p className="text-note text-second">{t(user.isDemo ? 'closeDemoText' : 'closeText')}</p>
      {!user.isDemo && (
        <ul className="mt-2 list-disc ps-5 text-note text-second">
          <li>{t('closeGone')}</li>
          <li>{t('closeStays')}</li>
          {balance > 0n && <li>{t('closeLeft', { amount: figures.money(balance) })}</li>}
        </ul>
      )}
      {kind === undefined ? (
        <Skeleton shape="mt-4 h-24 w-full" />
      ) : (
        <ClosingForm kind={kind} onClosed={onClosed} />
      )}
    </>
  )
}
