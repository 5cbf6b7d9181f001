import type { CopyDetails, CopyLog, CopyView, OrderView } from '@fairlot/contract'
import {
  COPY_STOP_LOSS_MAX,
  COPY_STOP_LOSS_MIN,
  type Decimal,
  type Money,
  money,
  parseDecimal,
  RATIO_DECIMALS,
} from '@fairlot/core'
import { SearchX } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useTranslations } from 'use-intl'
import { ButtonRow } from '@fairlot/ui/controls/button-row.tsx'
import { Button } from '@fairlot/ui/controls/button.tsx'
import { PillButton } from '@fairlot/ui/controls/pill-button.tsx'
import { Segmented } from '@fairlot/ui/controls/segmented.tsx'
import { TextButton, textButtonClass } from '@fairlot/ui/controls/text-button.tsx'
import { EmptyState } from '@fairlot/ui/feedback/empty-state.tsx'
import { Skeleton } from '@fairlot/ui/feedback/skeleton.tsx'
import { showToast } from '@fairlot/ui/feedback/toast.ts'
import { FactList } from '@fairlot/ui/figures/fact-list.tsx'
import { FormFrame, FormNote } from '@fairlot/ui/forms/form-frame.tsx'
import { NumberStepper } from '@fairlot/ui/forms/number-stepper.tsx'
import { Card } from '@fairlot/ui/layout/card.tsx'
import { Link, useSearchParams } from '@fairlot/ui/navigation/router.tsx'
import { Confirm, Sheet } from '@fairlot/ui/overlays/sheet.tsx'
import { classNames } from '@fairlot/ui/theme/class-names.ts'
import { asName, Name, withNames } from '@fairlot/ui/figures/names.tsx'
import { useLocale } from '../../i18n/locale-provider.tsx'
import { useAccountFigures } from '../../live/account/account.ts'
import { marketNow } from '../../live/market/market-clock.ts'
import { useSubmit } from '../../live/requests/use-submit.ts'
import { useKeptForm, useKeptState } from '../../live/session/kept-input.ts'
import { AmountField, readAmount } from '../../ui/amount-field.tsx'
import { FailedLine } from '../../ui/failed-line.tsx'
import { FailedState } from '../../ui/failed-state.tsx'
import { MoreButton } from '../../ui/more-button.tsx'
import { CopyTermsForm, useExcludedCodes } from './copy-terms-form.tsx'
import { lotsText } from './dry-run.tsx'
import {
  ActBar,
  Cell,
  Cells,
  CopyBadge,
  KindBadge,
  OwnAmount,
  OwnResult,
  parseId,
  Rate,
  Share,
  strategyPath,
  Times,
} from './figures.tsx'
import { closePosition, moveMoney, pause, resume, setStopLoss, stop, useCopy, useCopyLog } from './queries.ts'

type CopyScreenProps = {
  /** An order of the copy with its receipts; `action` stands beside an open one. */
  renderOrder: (order: OrderView, action?: ReactNode) => ReactNode
}

/** One copy: its figures beside the provider's, its positions, what was copied and why not, and what the owner can do. */
export function CopyScreen({ renderOrder }: CopyScreenProps) {
  const t = useTranslations('copying')
  const [search] = useSearchParams()
  const id = parseId(search.get('id'))
  const { data, error, refetch } = useCopy(id)
  if (id === null) return <EmptyState icon={SearchX} title={t('copyNotFound')} text={t('copyNotFoundText')} />
  if (data) return <Copy key={id} details={data} renderOrder={renderOrder} />
  if (!error) return <CopyLoading />
  return <FailedState title={t('copyFailed')} text={t('copiesFailedText')} error={error} onRetry={refetch} />
}

function Copy({ details: { copy, orders }, renderOrder }: { details: CopyDetails } & CopyScreenProps) {
  const isOpen = copy.state === 'running' || copy.state === 'paused'
  return (
    <div className="mx-auto max-w-2xl px-4 desktop:max-w-6xl">
      <div className="flex flex-col gap-3 pb-4 desktop:grid desktop:grid-cols-[2fr_3fr] desktop:grid-rows-[auto_1fr] desktop:gap-x-6">
        <Overview copy={copy} canChange={isOpen} />
        <div className="flex min-w-0 flex-col gap-3 desktop:row-span-2">
          {copy.state !== 'ended' && <Positions copy={copy} orders={orders} renderOrder={renderOrder} />}
          <Log copy={copy} />
        </div>
        <div>
          <Terms copy={copy} canChange={isOpen} />
        </div>
      </div>
      {isOpen && <Acts copy={copy} />}
    </div>
  )
}

type CopyProps = { copy: CopyView }

function Overview({ copy, canChange }: CopyProps & { canChange: boolean }) {
  const t = useTranslations('copying')
  const { figures, moments } = useLocale()
  const [isOpen, setIsOpen] = useState(false)
  const close = () => setIsOpen(false)
  const { state } = copy
  return (
    <Card>
      <div className="flex flex-col gap-4">
        <p className="flex flex-wrap items-center gap-2 text-note text-second">
          <CopyBadge copy={copy} />
          <KindBadge kind={copy.strategyKind} />
          <span>
            {copy.endedAt === null
              ? withNames(t('copiedSince', { time: asName(moments.soon(copy.startedAt, marketNow())) }))
              : withNames(
                  t('copiedUntil', {
                    from: asName(moments.soon(copy.startedAt, marketNow())),
                    to: asName(moments.soon(copy.endedAt, marketNow())),
                  }),
                )}
          </span>
        </p>
        {state === 'paused' && (
          <p className="rounded-field bg-brass-tint px-3 py-2 text-note">{t('pausedText')}</p>
        )}
        {canChange && copy.frozenUntil !== null && (
          <p className="rounded-field bg-brass-tint px-3 py-2 text-note">
            {withNames(t('frozenText', { time: asName(moments.soon(copy.frozenUntil, marketNow())) }))}
          </p>
        )}
        {state === 'ending' && (
          <p className="rounded-field bg-brass-tint px-3 py-2 text-note">{t('endingText')}</p>
        )}
        <Cells>
          <Cell name={t('putIn')}>
            <OwnAmount units={copy.putIn} />
          </Cell>
          {state === 'ended' ? (
            <Cell name={t('returned')}>
              <OwnAmount units={copy.takenOut} />
            </Cell>
          ) : (
            <Cell name={t('worthNow')}>
              <OwnAmount units={copy.equity} />
            </Cell>
          )}
          <Cell name={t('result')}>
            <OwnResult units={copy.result} hasArrow />
          </Cell>
        </Cells>
        <div className="border-t border-line pt-3">
          <p className="mb-2 text-tiny text-second">{t('besideText')}</p>
          <Cells>
            <Cell name={t('yourCopy')}>
              <Rate rate={copy.rate} hasArrow />
            </Cell>
            <Cell name={asName(copy.name)}>
              <Rate rate={copy.providerRate} hasArrow />
            </Cell>
          </Cells>
        </div>
        {state !== 'ended' && (
          <p className="flex flex-wrap items-center justify-between gap-x-3 border-t border-line pt-2 text-note">
            <span>{withNames(t('closesAt', { equity: asName(figures.money(copy.stopEquity)) }))}</span>
            {canChange && <TextButton onClick={() => setIsOpen(true)}>{t('changeStopLoss')}</TextButton>}
          </p>
        )}
        <Link to={strategyPath(copy.strategyId)} className={`${textButtonClass} -my-2 self-start`}>
          {t('toStrategy')}
        </Link>
      </div>
      <FormSheet title={t('stopLossTitle')} isOpen={isOpen} onClose={close}>
        <StopLossForm copy={copy} onDone={close} />
      </FormSheet>
    </Card>
  )
}

function Terms({ copy, canChange }: CopyProps & { canChange: boolean }) {
  const t = useTranslations('copying')
  const { figures } = useLocale()
  const [isOpen, setIsOpen] = useState(false)
  const close = () => setIsOpen(false)
  const excluded = useExcludedCodes(copy)
  const hasEnded = copy.state === 'ended'
  return (
    <Card>
      <FactList
        facts={[
          { label: t('multiplier'), value: <Times ratio={copy.multiplier} /> },
          {
            label: t('exposure'),
            value: t('timesEquity', { count: asName(figures.count(copy.exposureLimit)) }),
          },
          ...(excluded.length === 0
            ? []
            : [{ label: t('notCopied'), value: <bdi translate="no">{excluded.join(' · ')}</bdi> }]),
          {
            label: t('stopLossPercent'),
            value: (
              <bdi dir="ltr" translate="no">
                {figures.percent(String(copy.stopPercent), { shown: 0 })}
              </bdi>
            ),
          },
          ...(hasEnded
            ? []
            : [
                { label: t('canTakeOut'), value: <OwnAmount units={copy.free} /> },
                { label: t('takenOut'), value: <OwnAmount units={copy.takenOut} /> },
              ]),
          { label: t('feeOnProfit'), value: <Share share={copy.feeShare} /> },
          { label: t('feePaid'), value: <OwnAmount units={copy.feePaid} /> },
        ]}
      />
      {canChange && <TextButton onClick={() => setIsOpen(true)}>{t('changeTerms')}</TextButton>}
      <FormSheet title={t('changeTerms')} isOpen={isOpen} onClose={close}>
        <CopyTermsForm copy={copy} onDone={close} />
      </FormSheet>
    </Card>
  )
}

type FormSheetProps = { title: string; isOpen: boolean; onClose: () => void; children: ReactNode }

function FormSheet({ title, isOpen, onClose, children }: FormSheetProps) {
  const t = useTranslations('app')
  return (
    <Sheet isOpen={isOpen} title={title} closeLabel={t('close')} onClose={onClose}>
      <div className="pt-2 pb-4">{children}</div>
    </Sheet>
  )
}

type FormProps = CopyProps & { onDone: () => void }

function StopLossForm({ copy, onDone }: FormProps) {
  const t = useTranslations('copying')
  // Null until the user types: a stop loss that another device sets meanwhile is shown, and not replaced.
  const form = useKeptForm<{ percent: string | null }>(`copy stop loss ${copy.id}`, () => ({
    percent: null,
  }))
  const read = (text: string): number | null => {
    const percent = Number(parseDecimal(text, 0) ?? NaN)
    return percent >= COPY_STOP_LOSS_MIN && percent <= COPY_STOP_LOSS_MAX ? percent : null
  }
  const { onSubmit, isBusy } = useSubmit({
    form,
    check: ({ percent }) =>
      percent !== null && read(percent) === null
        ? { percent: t('stopLossProblem', { min: COPY_STOP_LOSS_MIN, max: COPY_STOP_LOSS_MAX }) }
        : {},
    send: async ({ percent }) => {
      if (percent !== null) await setStopLoss(copy.id, read(percent) ?? copy.stopPercent)
    },
    fields: { copyTermsInvalid: 'percent' },
    onDone,
  })
  return (
    <FormFrame form={form} onSubmit={onSubmit}>
      <p className="text-note text-second">{t('stopLossText')}</p>
      <NumberStepper
        label={t('stopLossPercent')}
        decreaseLabel={t('stopLossLess')}
        increaseLabel={t('stopLossMore')}
        value={form.values.percent ?? String(copy.stopPercent)}
        step="1"
        min={String(COPY_STOP_LOSS_MIN)}
        max={String(COPY_STOP_LOSS_MAX)}
        problem={form.problems.percent}
        onChange={(percent) => form.set({ percent })}
      />
      <FormNote text={form.note} />
      <Button type="submit" isWide isBusy={isBusy}>
        {t('saveStopLoss')}
      </Button>
    </FormFrame>
  )
}

type PositionsProps = CopyProps & CopyScreenProps & { orders: readonly OrderView[] }

function Positions({ copy, orders, renderOrder }: PositionsProps) {
  const t = useTranslations('copying')
  return (
    <section className="flex flex-col gap-1">
      <h2 className="font-bold">{t('positions')}</h2>
      {orders.length === 0 && <p className="text-note text-second">{t('noPositions')}</p>}
      <ul className="divide-y divide-line">
        {orders.map((order) => (
          <li key={order.id}>
            {renderOrder(order, <ClosePosition key={order.id} copyId={copy.id} order={order} />)}
          </li>
        ))}
      </ul>
    </section>
  )
}

function ClosePosition({ copyId, order }: { copyId: number; order: OrderView }) {
  const t = useTranslations('copying')
  const { figures } = useLocale()
  const { busy, run } = useAct()
  const [isConfirming, setIsConfirming] = useState(false)
  const code = order.instrument.showCode
  return (
    <>
      <PillButton
        isBusy={busy}
        aria-label={t('closeNamed', { code, lots: lotsText(figures, order.lots) })}
        onClick={() => setIsConfirming(true)}
      >
        {t('closePosition')}
      </PillButton>
      <Confirm
        isOpen={isConfirming}
        title={t('closeTitle', { code: asName(code) })}
        text={t('closeText', { profit: asName(figures.money(order.profit, { sign: 'always' })) })}
        confirmLabel={t('closePosition')}
        cancelLabel={t('keepOpen')}
        onConfirm={() => {
          setIsConfirming(false)
          run(() => closePosition(copyId, order.id))
        }}
        onClose={() => setIsConfirming(false)}
      />
    </>
  )
}

/** Runs one action at a time; a rejection has been shown by then. */
function useAct() {
  const [busy, setBusy] = useState(false)
  const run = (act: () => Promise<unknown>): void => {
    if (busy) return
    setBusy(true)
    void act()
      .catch(() => undefined)
      .finally(() => setBusy(false))
  }
  return { busy, run }
}

/** What became of each order of the provider. */
function Log({ copy }: CopyProps) {
  const t = useTranslations('copying')
  const query = useCopyLog(copy.id)
  const { entries, error, refetch } = query
  return (
    <section className="flex flex-col gap-1">
      <h2 className="pt-2 font-bold">{t('log')}</h2>
      {!entries &&
        (error ? <FailedLine text={t('logFailed')} onRetry={refetch} /> : <Skeleton shape="h-40 w-full" />)}
      {entries?.length === 0 && (
        <p className="text-note text-second">{withNames(t('noLog', { name: asName(copy.name) }))}</p>
      )}
      <ul aria-label={t('log')} className="divide-y divide-line">
        {entries?.map((entry) => (
          <li key={`${entry.at} ${entry.providerOrderId} ${entry.orderId ?? ''} ${entry.action}`}>
            <LogRow entry={entry} name={copy.name} />
          </li>
        ))}
      </ul>
      <MoreButton pages={query} />
    </section>
  )
}

const LOG_TONES = {
  copied: 'bg-ink',
  rounded: 'bg-brass',
  reduced: 'bg-second',
  closed: 'bg-second',
  skipped: 'bg-line',
} as const

function LogRow({ entry, name }: { entry: CopyLog['entries'][number]; name: string }) {
  const t = useTranslations('copying')
  const { figures, moments } = useLocale()
  const { action, code, side, lots, providerLots, price, providerPrice, reason, sizing, tooSmall } = entry
  const priceText = (value: Decimal) => figures.decimal(value, { shown: entry.priceDecimals })
  return (
    <div className="flex gap-3 py-2.5">
      <span aria-hidden className={classNames('w-1 shrink-0 rounded-full', LOG_TONES[action])} />
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-baseline justify-between gap-x-3">
          <span>
            <bdi translate="no" className="font-bold">
              {code}
            </bdi>{' '}
            <span className="font-medium">
              {withNames(
                t('logTitle', { side, action, lots: lots === null ? '' : asName(lotsText(figures, lots)) }),
              )}
            </span>
          </span>
          <Name className="text-tiny text-second">{moments.dateTime(entry.at)}</Name>
        </p>
        <p className="text-note text-second">
          {withNames(
            providerPrice === null
              ? t('logLots', { name: asName(name), lots: asName(lotsText(figures, providerLots)) })
              : t('logProvider', {
                  name: asName(name),
                  lots: asName(lotsText(figures, providerLots)),
                  price: asName(priceText(providerPrice)),
                }),
          )}
          {price !== null && withNames(` · ${t('logOwn', { price: asName(priceText(price)) })}`)}
        </p>
        {reason !== null && <p className="text-note">{t(`reason.${reason}`)}</p>}
        {sizing !== null && (
          <p className="text-tiny text-second">
            {t('logSize')}{' '}
            <bdi dir="ltr" translate="no">
              {[
                figures.figure(sizing.multiplier, RATIO_DECIMALS, { shown: 1 }),
                lotsText(figures, providerLots),
                `${figures.money(sizing.equity)} ÷ ${figures.publicMoney(sizing.providerEquity)}`,
              ].join(' × ')}
            </bdi>
          </p>
        )}
        {tooSmall !== null && (
          <p className="text-note text-second">
            {withNames(
              t('tooSmall', {
                lots: lotsText(figures, tooSmall.lots),
                least: asName(lotsText(figures, tooSmall.leastLots)),
              }),
            )}
          </p>
        )}
      </div>
    </div>
  )
}

/** Pause or resume, add or take out, stop. */
function Acts({ copy }: CopyProps) {
  const t = useTranslations('copying')
  const { figures } = useLocale()
  const { busy, run } = useAct()
  const [open, setOpen] = useState<'money' | 'stop' | null>(null)
  const close = () => setOpen(null)
  const isPaused = copy.state === 'paused'
  return (
    <>
      <ActBar>
        <ButtonRow>
          <Button
            tone="outline"
            isBusy={busy}
            onClick={() => run(() => (isPaused ? resume : pause)(copy.id))}
          >
            {t(isPaused ? 'resume' : 'pause')}
          </Button>
          <Button tone="outline" aria-label={t('moneyTitle')} onClick={() => setOpen('money')}>
            {t('moneyShort')}
          </Button>
          <Button tone="outline" disabled={busy} onClick={() => setOpen('stop')}>
            <span className="text-danger">{t('stop')}</span>
          </Button>
        </ButtonRow>
      </ActBar>
      <FormSheet title={t('moneyTitle')} isOpen={open === 'money'} onClose={close}>
        <MoneyForm copy={copy} onDone={close} />
      </FormSheet>
      <Confirm
        isOpen={open === 'stop'}
        title={t('stopTitle', { name: asName(copy.name) })}
        text={t('stopText', { count: copy.positions, equity: asName(figures.money(copy.equity)) })}
        confirmLabel={t('stop')}
        cancelLabel={t('keepCopying')}
        tone="danger"
        onConfirm={() => {
          close()
          run(() => stop(copy.id))
        }}
        onClose={close}
      />
    </>
  )
}

const NO_MONEY = money(0n)

/** Adds money to the copy or takes it out. */
function MoneyForm({ copy, onDone }: FormProps) {
  const t = useTranslations('copying')
  const { figures } = useLocale()
  const [kind, setKind] = useKeptState<'add' | 'take'>(`kind of transfer ${copy.id}`, 'add')
  const available: Money | undefined = useAccountFigures()?.free
  const form = useKeptForm(`transfer ${copy.id}`, () => ({ amount: '' }))
  const most = kind === 'add' ? available : copy.free
  const { onSubmit, isBusy } = useSubmit({
    form,
    check: ({ amount }) => {
      const units = readAmount(amount)
      if (units === null) return { amount: t('amountUnreadable') }
      if (most !== undefined && units > most)
        return { amount: t('amountTooLarge', { most: asName(figures.money(most)) }) }
      return {}
    },
    send: async ({ amount }) => {
      const moved = readAmount(amount) ?? NO_MONEY
      await moveMoney(kind, copy.id, moved)
      return moved
    },
    fields: {
      amountMalformed: 'amount',
      amountInvalid: 'amount',
      notEnoughMoney: 'amount',
      notEnoughPrepayment: 'amount',
    },
    onDone: (moved) => {
      showToast({ text: t(`moneyMoved.${kind}`, { amount: asName(figures.money(moved)) }) })
      onDone()
    },
  })
  return (
    <FormFrame form={form} onSubmit={onSubmit}>
      <Segmented
        label={t('moneyTitle')}
        options={(['add', 'take'] as const).map((value) => ({ value, label: t(`money.${value}`) }))}
        value={kind}
        onChange={(value) => {
          setKind(value)
          form.set({})
        }}
      />
      <AmountField
        label={t('amount')}
        value={form.values.amount}
        hint={most === undefined ? '' : t(`moneyMost.${kind}`, { most: asName(figures.money(most)) })}
        problem={form.problems.amount}
        onChange={(amount) => form.set({ amount })}
      />
      <p className="text-note text-second">{kind === 'add' ? t('addText') : <TakeText copy={copy} />}</p>
      <FormNote text={form.note} />
      <Button type="submit" isWide isBusy={isBusy}>
        {t(`money.${kind}`)}
      </Button>
    </FormFrame>
  )
}

function TakeText({ copy }: CopyProps) {
  const t = useTranslations('copying')
  return copy.feeShare === 0 ? t('takeText') : t('takeFeeText')
}

const CopyLoading = () => (
  <div className="mx-auto flex max-w-2xl flex-col gap-3 px-4 desktop:max-w-6xl">
    <Skeleton shape="h-56 w-full" />
    <Skeleton shape="h-40 w-full" />
    <Skeleton shape="h-64 w-full" />
  </div>
)
