import { useQuery } from '@tanstack/react-query'
import {
  ArrowDownToLine,
  ArrowUpFromLine,
  ChartCandlestick,
  Clock,
  Copy,
  type LucideIcon,
  ScrollText,
} from 'lucide-react'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import {
  type Closing,
  type ClosingObstacle,
  getClosing,
  type OwnProof,
  downloadOwnData,
  type User,
} from '@fairlot/contract'
import { Button } from '@fairlot/ui/controls/button.tsx'
import { TextButton } from '@fairlot/ui/controls/text-button.tsx'
import { Skeleton } from '@fairlot/ui/feedback/skeleton.tsx'
import { showToast } from '@fairlot/ui/feedback/toast.ts'
import { Checkbox } from '@fairlot/ui/forms/checkbox.tsx'
import { FormFrame, FormNote } from '@fairlot/ui/forms/form-frame.tsx'
import { useForm } from '@fairlot/ui/forms/use-form.ts'
import { Card } from '@fairlot/ui/layout/card.tsx'
import { ListLink } from '@fairlot/ui/navigation/list-link.tsx'
import { asName, withNames } from '@fairlot/ui/figures/names.tsx'
import { useLocale } from '../../../i18n/locale-provider.tsx'
import { fetchFile, saveAs } from '../../../live/requests/files.ts'
import { queryClient } from '../../../live/requests/query-client.ts'
import { newRequestId, request } from '../../../live/requests/request.ts'
import { useSubmit } from '../../../live/requests/use-submit.ts'
import { closeOwnAccount } from '../../../live/session/session.ts'
import { useUser } from '../../../live/session/user.ts'
import {
  NO_PROOF,
  PROOF_ERROR_FIELDS,
  ProofField,
  type ProofKind,
  proofOf,
  useProofCheck,
  useProofKind,
} from '../own-proof.tsx'

/** A copy of the user's data, and closing the account. */
export function OwnDataScreen({ onClosed }: { onClosed: () => void }) {
  const user = useUser()
  if (!user) return null
  return (
    <div className="mx-auto flex max-w-2xl flex-col gap-3 px-4 pb-6">
      <DataCopyCard user={user} />
      <ClosingCard user={user} onClosed={onClosed} />
    </div>
  )
}

const CLOSING_KEY = ['user', 'closing']

/** What has to be done before the account can be closed. */
const useClosing = () =>
  useQuery({
    queryKey: CLOSING_KEY,
    queryFn: ({ signal }) => request(getClosing, null, { signal, isSilent: true }),
    staleTime: 0,
  })

/** Saves a copy of the user's data on this device. Rejects when the server does, without showing a message. */
async function saveOwnData({ uid }: User, proof: OwnProof): Promise<void> {
  saveAs(await fetchFile(downloadOwnData, proof, { isSilent: true }), `fairlot-${uid}.zip`)
}

/** A copy of the user's data as a file. */
function DataCopyCard({ user }: { user: User }) {
  const t = useTranslations('ownData')
  const kind = useProofKind(user)
  return (
    <Card>
      <h2 className="mb-1 font-bold">{t('copy')}</h2>
      <p className="mb-4 text-note text-second">{t('copyText')}</p>
      {kind === undefined ? <Skeleton shape="h-24 w-full" /> : <DataCopyForm user={user} kind={kind} />}
    </Card>
  )
}

function DataCopyForm({ user, kind }: { user: User; kind: ProofKind }) {
  const t = useTranslations('ownData')
  const form = useForm(() => NO_PROOF)
  const { onSubmit, isBusy } = useSubmit({
    form,
    check: useProofCheck(kind),
    send: (values) => saveOwnData(user, proofOf(values)),
    fields: PROOF_ERROR_FIELDS,
    onDone: () => {
      form.set(NO_PROOF)
      showToast({ text: t('copied') })
    },
  })
  return (
    <FormFrame form={form} onSubmit={onSubmit}>
      <ProofField
        kind={kind}
        purpose="dataCopy"
        values={form.values}
        problems={form.problems}
        onChange={form.set}
      />
      <FormNote text={form.note} />
      <Button type="submit" tone="outline" isWide isBusy={isBusy}>
        {t('download')}
      </Button>
    </FormFrame>
  )
}

type ClosingCardProps = { user: User; onClosed: () => void }

/** Closing the account: what has to be done first, or what will happen. */
function ClosingCard({ user, onClosed }: ClosingCardProps) {
  const t = useTranslations()
  const { data, isError, refetch } = useClosing()
  return (
    <Card>
      <h2 className="mb-1 font-bold">{t('ownData.close')}</h2>
      {data ? (
        <ClosingSteps user={user} closing={data} onClosed={onClosed} />
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

function ClosingSteps({ user, closing, onClosed }: ClosingCardProps & { closing: Closing }) {
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
          {balance > 0n && <li>{withNames(t('closeLeft', { amount: asName(figures.money(balance)) }))}</li>}
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

/** Closes the account after a confirmation and the proof of ownership. */
function ClosingForm({ kind, onClosed }: { kind: ProofKind; onClosed: () => void }) {
  const t = useTranslations('ownData')
  const form = useForm(() => ({ ...NO_PROOF, isSure: false }))
  // One request id, so that a repeated request closes the account once.
  const [requestId] = useState(newRequestId)
  const checkProof = useProofCheck(kind)
  const { onSubmit, isBusy } = useSubmit({
    form,
    check: (values) => ({ ...checkProof(values), ...(!values.isSure && { isSure: t('sureMissing') }) }),
    send: (values) => closeOwnAccount(proofOf(values), requestId),
    fields: PROOF_ERROR_FIELDS,
    onDone: onClosed,
    onRejected: () => {
      // A new obstacle may be the reason, such as a position opened meanwhile.
      void queryClient.invalidateQueries({ queryKey: CLOSING_KEY })
      return false
    },
  })
  const { values, problems, set } = form
  return (
    <div className="mt-4">
      <FormFrame form={form} onSubmit={onSubmit}>
        <ProofField kind={kind} purpose="closing" values={values} problems={problems} onChange={set} />
        <Checkbox isChecked={values.isSure} problem={problems.isSure} onChange={(isSure) => set({ isSure })}>
          {t('sure')}
        </Checkbox>
        <FormNote text={form.note} />
        <Button type="submit" tone="danger" isWide isBusy={isBusy}>
          {t('closeNow')}
        </Button>
      </FormFrame>
    </div>
  )
}

/** The screen where each obstacle is resolved. */
const OBSTACLE_LINKS: Record<ClosingObstacle['what'], { readonly icon: LucideIcon; readonly to: string }> = {
  positionsOpen: { icon: ChartCandlestick, to: '/order' },
  ordersPending: { icon: Clock, to: '/order' },
  depositsOpen: { icon: ArrowDownToLine, to: '/mine/charge' },
  withdrawalsOpen: { icon: ArrowUpFromLine, to: '/mine/withdraw' },
  correctionsOpen: { icon: ScrollText, to: '/mine/activity' },
  copiesRunning: { icon: Copy, to: '/rank?tab=copy' },
  balanceLeft: { icon: ArrowUpFromLine, to: '/mine/withdraw' },
}

/** What has to be done before the account can be closed, each with a link to its screen. */
function Obstacles({ obstacles, leftMax }: Pick<Closing, 'obstacles' | 'leftMax'>) {
  const t = useTranslations('ownData')
  const { figures } = useLocale()
  return (
    <>
      <p className="mb-1 text-note text-second">{t('first')}</p>
      <div className="-mb-3 divide-y divide-line">
        {obstacles.map(({ what, count, amount }) => (
          <ListLink
            key={what}
            {...OBSTACLE_LINKS[what]}
            title={t(`obstacle.${what}`, {
              count: count ?? 0,
              amount: amount === null ? '' : asName(figures.money(amount)),
            })}
            note={t(`todo.${what}`, { max: asName(figures.money(leftMax)) })}
          />
        ))}
      </div>
    </>
  )
}
