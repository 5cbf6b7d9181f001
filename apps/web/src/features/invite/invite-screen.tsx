import { Card } from '@fairlot/ui/card.tsx'
import { CopyButton } from '@fairlot/ui/copy-button.tsx'
import { QrCode } from '@fairlot/ui/qr-code.tsx'
import { Skeleton } from '@fairlot/ui/skeleton.tsx'
import { useTranslations } from 'use-intl'
import { useUser } from '../../live/auth/user.ts'
import { InvitedList } from './invited-list.tsx'
import { ShareButton } from './share-button.tsx'

/** The link that registers a friend by this code. */
const linkOf = (code: string): string => `${location.origin}/#/register?invite_code=${code}`

/** A link that brings friends, as text and as a code for their camera, and who has come by it. */
export function InviteScreen() {
  const t = useTranslations('invite')
  const code = useUser()?.inviteCode
  return (
    <div className="mx-auto flex max-w-2xl flex-col gap-3 px-4 pb-6">
      <Card>{code ? <Invitation link={linkOf(code)} /> : <Skeleton shape="h-80 w-full" />}</Card>
      <p className="text-note text-second">{t('noReward')}</p>
      <InvitedList />
    </div>
  )
}

function Invitation({ link }: { link: string }) {
  const t = useTranslations('invite')
  return (
    <div className="flex flex-col gap-4">
      <p className="text-center text-note text-second">{t('text')}</p>
      <QrCode text={link} label={t('qr')} level="H" size={160} />
      <p className="text-center text-note font-bold break-all select-all" dir="ltr">
        {link}
      </p>
      <div className="flex flex-wrap gap-2 *:grow">
        <CopyButton text={link} label={t('copy')} doneLabel={t('copied')} failedText={t('copyFailed')} />
        <ShareButton url={link} />
      </div>
    </div>
  )
}
