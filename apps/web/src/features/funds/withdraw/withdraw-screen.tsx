import { useState } from 'react'
import { useTranslations } from 'use-intl'
import type { WithdrawalView } from '@fairlot/contract'
import { fractionDigits } from '@fairlot/core'
import { Button, buttonClass } from '@fairlot/ui/controls/button.tsx'
import { Segmented } from '@fairlot/ui/controls/segmented.tsx'
import { FactList } from '@fairlot/ui/figures/fact-list.tsx'
import { Card } from '@fairlot/ui/layout/card.tsx'
import { Link, useSearchParams } from '@fairlot/ui/navigation/router.tsx'
import { ConfirmDialog } from '@fairlot/ui/overlays/confirm-dialog.tsx'
import { classNames } from '@fairlot/ui/theme/class-names.ts'
import { asName, Name, withNames } from '@fairlot/ui/figures/names.tsx'
import { useLocale } from '../../../i18n/locale-provider.tsx'
import { useBasicInfo } from '../../../live/basic-info.ts'
import { useKeptState } from '../../../live/session/kept-input.ts'
import { useUser } from '../../../live/session/user.ts'
import { Loaded } from '../../../ui/loaded.tsx'
import { MoreButton } from '../../../ui/more-button.tsx'
import { useWithdrawals, type PaymentKind, cancelOwnWithdrawal, useWithdrawal } from '../payment-queries.ts'
import { PaymentScreen } from '../payment-screen.tsx'
import { currencyName } from '../payout-fields.tsx'
import { WithdrawForm } from './withdraw-form.tsx'

/** The withdrawal form, and earlier withdrawals; with an id in the address, one withdrawal. */
export function WithdrawScreen() {
  const [search, setSearch] = useSearchParams()
  const [kind, setKind] = useKeptState<PaymentKind>('withdrawal kind', 'coin')
  const t = useTranslations('payments')
  const id = Number(search.get('id'))
  const open = (number: number) => setSearch({ id: String(number) })
  if (Number.isSafeInteger(id) && id > 0)
    return (
      <PaymentScreen>
        <WithdrawalDetail id={id} />
      </PaymentScreen>
    )
  return (
    <PaymentScreen>
      <Segmented
        label={t('to')}
        track="surface"
        options={[
          { value: 'coin', label: t('toCoin') },
          { value: 'bank', label: t('toBank') },
        ]}
        value={kind}
        onChange={setKind}
      />
      <IdentityFirst />
      <WithdrawForm key={kind} kind={kind} onSent={open} />
      <WithdrawalList kind={kind} />
    </PaymentScreen>
  )
}

/** Said before the form is filled in: withdrawals need a verified identity, and where to get it. */
function IdentityFirst() {
  const t = useTranslations('payments')
  const info = useBasicInfo()
  const user = useUser()
  if (!info?.needsIdentityToWithdraw || !user || user.identityCheck === 'verified') return null
  const isWaiting = user.identityCheck === 'waiting'
  return (
    <section aria-label={t('identityFirst')} className="rounded-card bg-brass-tint p-4">
      <h2 className="font-bold">{t('identityFirst')}</h2>
      <p className="mt-1 text-note">{t(isWaiting ? 'identityWaiting' : 'identityFirstText')}</p>
      {!isWaiting && (
        <Link to="/mine/auth" className={classNames(buttonClass('ink', 'small'), 'mt-3')}>
          {t('identityNow')}
        </Link>
      )}
    </section>
  )
}

/** Earlier withdrawals of a kind, each linked to its details. */
function WithdrawalList({ kind }: { kind: PaymentKind }) {
  const t = useTranslations('payments')
  const query = useWithdrawals(kind)
  return (
    <>
      <h2 className="mt-2 text-note text-second">{t('withdrawals')}</h2>
      <Loaded query={{ ...query, data: query.withdrawals }}>
        {(rows) =>
          rows.length === 0 ? (
            <p className="text-note text-second">{t('noWithdrawal')}</p>
          ) : (
            <ul className="divide-y divide-line">
              {rows.map((withdrawal) => (
                <WithdrawalRow key={withdrawal.id} withdrawal={withdrawal} />
              ))}
            </ul>
          )
        }
      </Loaded>
      <MoreButton pages={query} />
    </>
  )
}

function WithdrawalRow({ withdrawal }: { withdrawal: WithdrawalView }) {
  const t = useTranslations('payments')
  const { figures, moments } = useLocale()
  const { id, amount, statusName, createdAt } = withdrawal
  return (
    <li>
      <Link
        to={`/mine/withdraw?id=${id}`}
        className="flex min-h-16 flex-wrap items-center justify-between gap-x-4 gap-y-1 py-2.5"
      >
        <span className="min-w-0 flex-[1_1_8rem]">
          <span className="block">{withNames(t('withdrawalNumber', { number: asName(id) }))}</span>
          <Name className="block text-note text-second">{moments.dateTime(createdAt)}</Name>
        </span>
        <span className="ms-auto flex flex-col items-end">
          <bdi dir="ltr" translate="no" className="font-bold">
            {figures.money(amount)}
          </bdi>
          <span className="text-note text-second">{statusName}</span>
        </span>
      </Link>
    </li>
  )
}

/** One withdrawal: amounts, fee, its timeline, and a cancel button while it waits. */
function WithdrawalDetail({ id }: { id: number }) {
  const t = useTranslations('payments')
  return (
    <>
      <Loaded query={useWithdrawal(id)}>
        {(withdrawal) => (
          <>
            <h2 className="text-title font-bold">
              {withNames(t('withdrawalNumber', { number: asName(id) }))}
            </h2>
            <Amounts withdrawal={withdrawal} />
            <Card>
              <WithdrawalTimeline withdrawal={withdrawal} />
            </Card>
            <Card>
              <Facts withdrawal={withdrawal} />
            </Card>
            {withdrawal.status === 'waiting' && <CancelWithdrawal id={id} />}
            <p className="text-note text-second">{t('promise')}</p>
          </>
        )}
      </Loaded>
      <Link to="/mine/withdraw" className={buttonClass('outline', undefined, true)}>
        {t('backToList')}
      </Link>
    </>
  )
}

/** The minimum number of decimals shown. */
const SHOWN = 2

const RECEIVED = {
  waiting: 'onItsWay',
  approved: 'onItsWay',
  paid: 'received',
  rejected: 'notPaidOut',
  cancelled: 'notPaidOut',
} as const

function Amounts({ withdrawal }: { withdrawal: WithdrawalView }) {
  const t = useTranslations('payments')
  const { figures } = useLocale()
  const { amount, fee, received, currency, status } = withdrawal
  return (
    <Card>
      <dl className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
        <div>
          <dt className="text-tiny text-second">{t(RECEIVED[status])}</dt>
          <dd className="text-figure font-bold">
            <bdi dir="ltr" translate="no">
              {figures.paidOut(received, { shown: Math.max(SHOWN, fractionDigits(String(received))) })}{' '}
              {currency.code}
            </bdi>
          </dd>
        </div>
        <div>
          <dt className="text-tiny text-second">{t('requested')}</dt>
          <dd className="font-bold">
            <bdi dir="ltr" translate="no">
              {figures.money(amount)}
            </bdi>
          </dd>
        </div>
        <div>
          <dt className="text-tiny text-second">{t('fee')}</dt>
          <dd className="font-bold">
            <bdi dir="ltr" translate="no">
              {figures.money(fee)}
            </bdi>
          </dd>
        </div>
      </dl>
    </Card>
  )
}

function Facts({ withdrawal }: { withdrawal: WithdrawalView }) {
  const t = useTranslations('payments')
  const { address, tag, payeeAccount, currency, memo, reference } = withdrawal
  const facts = [
    { label: t('currency'), value: asName(currencyName(currency)) },
    { label: t('boundTo'), value: <FullText text={address || payeeAccount} /> },
    { label: t('coinTag'), value: tag && <FullText text={tag} /> },
    { label: t('reference'), value: reference && <FullText text={reference} /> },
    { label: t('memoShown'), value: memo },
  ]
  return <FactList facts={facts.filter(({ value }) => value !== '')} />
}

/** An address or number in full. */
const FullText = ({ text }: { text: string }) => (
  <bdi dir="ltr" translate="no" className="break-all">
    {text}
  </bdi>
)

/** Cancels the withdrawal, which is possible until it is decided. */
function CancelWithdrawal({ id }: { id: number }) {
  const t = useTranslations('payments')
  const [isOpen, setIsOpen] = useState(false)
  const [isBusy, setIsBusy] = useState(false)
  const confirm = async () => {
    setIsBusy(true)
    // A failure has been shown by then.
    await cancelOwnWithdrawal(id).catch(() => undefined)
    setIsBusy(false)
    setIsOpen(false)
  }
  return (
    <>
      <Button tone="outline" isWide onClick={() => setIsOpen(true)}>
        {t('cancelWithdrawal')}
      </Button>
      <ConfirmDialog
        isOpen={isOpen}
        isBusy={isBusy}
        title={t('cancelWithdrawalTitle')}
        text={t('cancelWithdrawalText')}
        confirmLabel={t('cancelWithdrawal')}
        cancelLabel={t('keep')}
        onConfirm={() => void confirm()}
        onClose={() => setIsOpen(false)}
      />
    </>
  )
}

type Step = { title: string; note: string; state: 'done' | 'now' | 'next' }

const DOTS = {
  done: 'border-brass bg-brass',
  now: 'border-ink bg-surface',
  next: 'border-line bg-surface',
}

/** The past, current and next steps of a withdrawal. */
function WithdrawalTimeline({ withdrawal }: { withdrawal: WithdrawalView }) {
  const t = useTranslations('payments')
  const steps = useSteps(withdrawal)
  return (
    <ol aria-label={t('steps')} className="flex flex-col">
      {steps.map(({ title, note, state }) => (
        <li
          key={title}
          aria-current={state === 'now' ? 'step' : undefined}
          className="group relative flex gap-3 pb-5 last:pb-0"
        >
          <span className="absolute inset-y-3 start-1.5 w-px -translate-x-1/2 bg-line group-last:hidden rtl:translate-x-1/2" />
          <span className={classNames('relative mt-1 size-3 shrink-0 rounded-full border-2', DOTS[state])} />
          <span className="min-w-0">
            <span className={classNames('block font-bold', state === 'next' && 'text-second')}>{title}</span>
            <span className="block text-note break-words text-second">{withNames(note)}</span>
          </span>
        </li>
      ))}
    </ol>
  )
}

function useSteps({ steps, status, holder, reference }: WithdrawalView): Step[] {
  const t = useTranslations('payments')
  const { moments } = useLocale()
  const done = steps.map(({ kind, at, role, reason }): Step => {
    const facts = [asName(moments.dateTime(at)), kind === 'asked' || kind === 'cancelled' ? '' : role]
    const more = kind === 'paid' ? asName(reference) : reason
    return {
      title: t(`step.${kind}`),
      note: [...facts, more].filter((part) => part !== '').join(' · '),
      state: 'done',
    }
  })
  const paid: Step = { title: t('next.paid'), note: '', state: 'next' }
  if (status === 'waiting')
    return [...done, { title: t('next.approve', { holder }), note: '', state: 'now' }, paid]
  return status === 'approved'
    ? [...done, { title: t('next.pay', { holder }), note: '', state: 'now' }]
    : done
}
