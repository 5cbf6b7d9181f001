import { useInfiniteQuery } from '@tanstack/react-query'
import { Share2, UsersRound } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { type Invited, listInvited, PAGE_ROWS } from '@fairlot/contract'
import { Button } from '@fairlot/ui/controls/button.tsx'
import { Card } from '@fairlot/ui/layout/card.tsx'
import { CopyButton } from '@fairlot/ui/controls/copy-button.tsx'
import { EmptyState } from '@fairlot/ui/feedback/empty-state.tsx'
import { Icon } from '@fairlot/ui/graphics/icon.tsx'
import { QrCode } from '@fairlot/ui/graphics/qr-code.tsx'
import { Skeleton } from '@fairlot/ui/feedback/skeleton.tsx'
import { Name } from '@fairlot/ui/figures/names.tsx'
import { useLocale } from '../../i18n/locale-provider.tsx'
import { useUser } from '../../live/session/user.ts'
import { request } from '../../live/requests/request.ts'
import { FailedState } from '../../ui/failed-state.tsx'
import { MoreButton } from '../../ui/more-button.tsx'

/** The users who joined by this user's invitation, the latest first, page by page. */
function useInvited() {
  const query = useInfiniteQuery({
    queryKey: ['user', 'invited'],
    queryFn: ({ pageParam, signal }) => request(listInvited, { page: pageParam }, { signal, isSilent: true }),
    initialPageParam: 1,
    getNextPageParam: (last, pages) => (pages.length * PAGE_ROWS < last.total ? pages.length + 1 : undefined),
    staleTime: 0,
  })
  const invited: readonly Invited[] | undefined = query.data?.pages.flatMap((page) => page.invited)
  return { ...query, invited, total: query.data?.pages[0]?.total }
}

/** The link that registers a friend with this invite code. */
const linkOf = (code: string): string => `${location.origin}/#/register?invite_code=${code}`

/** The user's invitation as a link and a QR code, and who has joined by it. */
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
      <p className="text-center text-note font-bold break-all select-all" dir="ltr" translate="no">
        {link}
      </p>
      <div className="flex flex-wrap gap-2 *:grow">
        <CopyButton text={link} label={t('copy')} doneLabel={t('copied')} failedText={t('copyFailed')} />
        <ShareButton url={link} />
      </div>
    </div>
  )
}

/** Shares the link through another app; hidden where the browser cannot, as over plain http. */
function ShareButton({ url }: { url: string }) {
  const t = useTranslations()
  const shared = { title: t('app.name'), text: t('invite.shareText'), url }
  // Older browsers have neither function.
  if (typeof navigator.share !== 'function' || navigator.canShare?.(shared) === false) return null
  return (
    <Button
      onClick={() => {
        // If the user cancels or the browser rejects, the link can still be copied.
        navigator.share(shared).catch(() => undefined)
      }}
    >
      <Icon of={Share2} size={16} />
      {t('invite.share')}
    </Button>
  )
}

/** Who has joined and when, with their contact masked. */
function InvitedList() {
  const t = useTranslations()
  const { moments } = useLocale()
  const query = useInvited()
  const { invited, total, error, refetch } = query
  if (!invited)
    return error ? <Failed error={error} onRetry={() => void refetch()} /> : <Skeleton shape="h-24 w-full" />
  if (invited.length === 0)
    return <EmptyState icon={UsersRound} title={t('invite.none')} text={t('invite.noneText')} />
  return (
    <section className="flex flex-col gap-1">
      <h2 className="mt-2 text-note text-second">{t('invite.joined', { count: total ?? 0 })}</h2>
      <ul className="divide-y divide-line">
        {invited.map(({ name, joinedAt }, index) => (
          // Two masked names may be equal; an entry never changes its place within a page.
          <li
            key={`${joinedAt} ${index}`}
            className="flex min-h-12 flex-wrap items-center justify-between gap-x-4"
          >
            <bdi translate="no" className="min-w-0 break-words">
              {name}
            </bdi>
            <Name className="text-note text-second">{moments.dateTime(joinedAt)}</Name>
          </li>
        ))}
      </ul>
      <MoreButton pages={query} />
    </section>
  )
}

function Failed({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const t = useTranslations()
  const text = t('invite.failedText')
  return <FailedState title={t('invite.failed')} text={text} error={error} onRetry={onRetry} />
}
