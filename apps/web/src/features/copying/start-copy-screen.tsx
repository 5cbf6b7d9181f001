import { COPY_DEFAULTS, type CopyingTerms, type DryRunQuery, type StrategyDetails } from '@fairlot/contract'
import {
  COPY_STOP_LOSS_MAX,
  COPY_STOP_LOSS_MIN,
  decimalText,
  EXPOSURE_LIMIT_MAX,
  fromUnits,
  NO_MONEY,
  type Money,
  MONEY_DECIMALS,
  ratio,
} from '@fairlot/core'
import { SearchX } from 'lucide-react'
import { type SubmitEvent, useEffect, useId, useMemo, useState } from 'react'
import { useTranslations } from 'use-intl'
import { Button, buttonClass } from '@fairlot/ui/controls/button.tsx'
import { textButtonClass } from '@fairlot/ui/controls/text-button.tsx'
import { EmptyState } from '@fairlot/ui/feedback/empty-state.tsx'
import { Skeleton } from '@fairlot/ui/feedback/skeleton.tsx'
import { FactList } from '@fairlot/ui/figures/fact-list.tsx'
import { FormFrame, FormNote } from '@fairlot/ui/forms/form-frame.tsx'
import { NumberStepper } from '@fairlot/ui/forms/number-stepper.tsx'
import type { Problems } from '@fairlot/ui/forms/use-form.ts'
import { Card } from '@fairlot/ui/layout/card.tsx'
import { Link, navigate, useSearchParams } from '@fairlot/ui/navigation/router.tsx'
import { Confirm } from '@fairlot/ui/overlays/sheet.tsx'
import { asName, withNames } from '@fairlot/ui/figures/names.tsx'
import { useLocale } from '../../i18n/locale-provider.tsx'
import { useAccountFigures } from '../../live/account/account.ts'
import { useSubmit } from '../../live/requests/use-submit.ts'
import { AuthCodeField, FACTOR_ERROR_FIELDS } from '../../ui/auth-code-field.tsx'
import { useKeptForm } from '../../live/session/kept-input.ts'
import { useUser } from '../../live/session/user.ts'
import { AmountField, readAmount } from '../../ui/amount-field.tsx'
import { FailedLine } from '../../ui/failed-line.tsx'
import { FailedState } from '../../ui/failed-state.tsx'
import { readBetween, readExposure, readMultiplier } from './copy-terms-form.tsx'
import { DryRunReport, OpenOrders } from './dry-run.tsx'
import { ActBar, copyPath, parseId, PublicAmount, Share, strategyPath } from './figures.tsx'
import { sendCopy, useCopyingTerms, useDryRun, useStrategy } from './queries.ts'

/** The terms of a new copy, with a dry run of them beneath, and one confirmation. */
export function StartCopyScreen() {
  const t = useTranslations('copying')
  const [search] = useSearchParams()
  const id = parseId(search.get('id'))
  const strategy = useStrategy(id)
  const terms = useCopyingTerms()
  const user = useUser()
  if (id === null)
    return <EmptyState icon={SearchX} title={t('strategyNotFound')} text={t('strategyNotFoundText')} />
  const error = strategy.error ?? terms.error
  if (strategy.data && terms.data && user) {
    const barrier = barrierOf(strategy.data, terms.data, user.isDemo)
    if (barrier !== null) return <Barrier barrier={barrier} strategy={strategy.data} />
    return <StartCopyForm key={id} strategy={strategy.data} terms={terms.data} />
  }
  if (!error) return <FormLoading />
  const retry = () => Promise.all([strategy.refetch(), terms.refetch()])
  return <FailedState title={t('strategyFailed')} text={t('failedText')} error={error} onRetry={retry} />
}

type StartBarrier = 'own' | 'ended' | 'copied' | 'demoForReal' | 'off'

/** Why this user cannot start a copy of it; null when nothing known here prevents it. The server decides. */
function barrierOf(
  { isOwn, endedAt, copyId, kind }: StrategyDetails,
  { isDemoOn, isRealOn }: CopyingTerms,
  isDemo: boolean,
): StartBarrier | null {
  if (isOwn) return 'own'
  if (copyId !== null) return 'copied'
  if (endedAt !== null) return 'ended'
  if (kind === 'demo' && !isDemo) return 'demoForReal'
  return (isDemo ? isDemoOn : isRealOn) ? null : 'off'
}

function Barrier({ barrier, strategy }: { barrier: StartBarrier; strategy: StrategyDetails }) {
  const t = useTranslations('copying')
  const to = strategy.copyId === null ? strategyPath(strategy.id) : copyPath(strategy.copyId)
  return (
    <EmptyState
      icon={SearchX}
      title={t(`barrier.${barrier}`)}
      text={t(`barrierText.${barrier}`)}
      action={
        <Link to={to} className={buttonClass('outline')}>
          {t(strategy.copyId === null ? 'toStrategy' : 'toCopy')}
        </Link>
      }
    />
  )
}

type Values = {
  amount: string
  multiplier: string
  exposure: string
  stopPercent: string
  isWithOpenOrders: boolean
  authCode: string
}

const START = {
  multiplier: '1.0',
  exposure: String(COPY_DEFAULTS.exposureLimit),
  stopPercent: String(COPY_DEFAULTS.stopPercent),
  isWithOpenOrders: false,
  authCode: '',
}

const FIELDS = {
  amountMalformed: 'amount',
  amountInvalid: 'amount',
  copyAmountTooSmall: 'amount',
  notEnoughMoney: 'amount',
  notEnoughPrepayment: 'amount',
  ...FACTOR_ERROR_FIELDS,
} as const

type FormProps = { strategy: StrategyDetails; terms: CopyingTerms }

function StartCopyForm({ strategy, terms }: FormProps) {
  const t = useTranslations('copying')
  const { figures } = useLocale()
  const copying = useStartCopy({ strategy, terms })
  const { form, terms: enteredTerms, needsCode } = copying
  const { values, problems, set } = form
  const dryRun = useDryRun(useSettled(enteredTerms))
  const free = useAccountFigures()?.free
  const formId = useId()
  return (
    <div className="mx-auto max-w-2xl px-4 desktop:max-w-6xl">
      <div className="grid gap-3 pb-4 desktop:grid-cols-2 desktop:items-start">
        <Card>
          <FormFrame id={formId} form={form} onSubmit={copying.onSubmit}>
            <AmountField
              label={t('amount')}
              value={values.amount}
              hint={[
                t('amountLeast', { least: asName(figures.publicMoney(terms.minAmount)) }),
                free === undefined ? '' : t('amountFree', { free: asName(figures.money(free)) }),
              ]
                .filter(Boolean)
                .join(' · ')}
              problem={problems.amount}
              onChange={(amount) => set({ amount })}
            />
            <div className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,9rem),1fr))] items-end gap-3">
              <NumberStepper
                label={t('multiplier')}
                decreaseLabel={t('multiplierLess')}
                increaseLabel={t('multiplierMore')}
                value={values.multiplier}
                step="0.1"
                min="0.1"
                max="10"
                problem={problems.multiplier}
                onChange={(multiplier) => set({ multiplier })}
              />
              <NumberStepper
                label={t('stopLossPercent')}
                decreaseLabel={t('stopLossLess')}
                increaseLabel={t('stopLossMore')}
                value={values.stopPercent}
                step="1"
                min={String(COPY_STOP_LOSS_MIN)}
                max={String(COPY_STOP_LOSS_MAX)}
                problem={problems.stopPercent}
                onChange={(stopPercent) => set({ stopPercent })}
              />
              <NumberStepper
                label={t('exposure')}
                decreaseLabel={t('exposureLess')}
                increaseLabel={t('exposureMore')}
                value={values.exposure}
                step="1"
                min="1"
                max={String(EXPOSURE_LIMIT_MAX)}
                problem={problems.exposure}
                onChange={(exposure) => set({ exposure })}
              />
            </div>
            <p className="text-note text-second">
              {withNames(
                t('termsText', {
                  name: asName(strategy.name),
                  percent: asName(Number(values.stopPercent) || 0),
                }),
              )}
            </p>
            <OpenOrders
              dryRun={dryRun.data ?? null}
              name={strategy.name}
              isChosen={values.isWithOpenOrders}
              onChange={(isWithOpenOrders) => set({ isWithOpenOrders })}
            />
            {needsCode && (
              <AuthCodeField
                passkeyFor="copying"
                value={values.authCode}
                problem={problems.authCode}
                onChange={(authCode) => set({ authCode })}
              />
            )}
          </FormFrame>
        </Card>
        <div className="flex min-w-0 flex-col gap-3">
          {enteredTerms === null ? (
            <Card>
              <p className="py-6 text-center text-note text-second">{t('dryRunWaits')}</p>
            </Card>
          ) : (
            <DryRunPart query={dryRun} amount={enteredTerms.amount} name={strategy.name} />
          )}
          <Costs strategy={strategy} terms={terms} carriedLoss={dryRun.data?.carriedLoss ?? NO_MONEY} />
        </div>
      </div>
      <ActBar>
        <FormNote text={form.note} />
        <Button type="submit" form={formId} isWide isBusy={copying.isBusy}>
          {t('startCopy')}
        </Button>
      </ActBar>
      <Confirm
        isOpen={copying.isConfirming}
        title={t('confirmTitle', { name: asName(strategy.name) })}
        text={
          enteredTerms && (
            <Summary
              strategy={strategy}
              terms={enteredTerms}
              stopEquity={dryRun.data?.stopEquity}
              isWithOpenOrders={values.isWithOpenOrders}
            />
          )
        }
        confirmLabel={t('startCopy')}
        cancelLabel={t('confirmBack')}
        onConfirm={copying.confirm}
        onClose={copying.dismiss}
      />
    </div>
  )
}

type DryRunPartProps = { query: ReturnType<typeof useDryRun>; amount: Money; name: string }

function DryRunPart({ query: { data, error, refetch, isPlaceholderData }, amount, name }: DryRunPartProps) {
  const t = useTranslations('copying')
  if (data)
    return (
      <div
        aria-busy={isPlaceholderData}
        className={`transition-opacity ${isPlaceholderData ? 'opacity-50' : ''}`}
      >
        <DryRunReport dryRun={data} amount={amount} name={name} />
      </div>
    )
  if (!error) return <Skeleton shape="h-72 w-full" />
  return (
    <Card>
      <FailedLine text={t('dryRunFailed')} onRetry={refetch} />
    </Card>
  )
}

/** What stays the same for every amount. */
function Costs({ strategy, terms, carriedLoss }: FormProps & { carriedLoss: Money }) {
  const t = useTranslations('copying')
  const { figures } = useLocale()
  return (
    <Card>
      <FactList
        facts={[
          { label: t('feeMonthly'), value: <Share share={strategy.feeShare} /> },
          { label: t('samePrice'), value: t('samePriceText') },
        ]}
      />
      {carriedLoss > 0n && (
        <p className="mt-3 text-note">
          {withNames(t('carriedLoss', { loss: asName(figures.money(carriedLoss)) }))}
        </p>
      )}
      {terms.legalBasis !== '' && (
        <p className="mt-3 text-note text-second">{t('legalBasis', { text: terms.legalBasis })}</p>
      )}
      <Link to="/rank/method" className={textButtonClass}>
        {t('howItWorks')}
      </Link>
    </Card>
  )
}

type SummaryProps = {
  strategy: StrategyDetails
  terms: DryRunQuery
  /** Undefined without a dry run. */
  stopEquity: Money | undefined
  isWithOpenOrders: boolean
}

/** What can be lost, in the confirmation. */
function Summary({ strategy, terms, stopEquity, isWithOpenOrders }: SummaryProps) {
  const t = useTranslations('copying')
  const { figures } = useLocale()
  return (
    <div className="flex flex-col gap-3">
      <p className="font-bold text-ink">
        {withNames(t('canLose', { amount: asName(figures.publicMoney(terms.amount)) }))}
      </p>
      <p>{withNames(t('canLoseText', { percent: asName(terms.stopPercent) }))}</p>
      <FactList
        facts={[
          { label: t('amount'), value: <PublicAmount units={terms.amount} /> },
          ...(stopEquity === undefined
            ? []
            : [{ label: t('stopsAt'), value: <PublicAmount units={stopEquity} /> }]),
          { label: t('feeMonthly'), value: <Share share={strategy.feeShare} /> },
          { label: t('openPositions'), value: t(isWithOpenOrders ? 'openOnesToo' : 'onlyNew') },
        ]}
      />
    </div>
  )
}

/** The terms as typed; null where one is no number or out of its range. */
const readTerms = ({ amount, multiplier, exposure, stopPercent }: Values) => ({
  amount: readAmount(amount),
  multiplier: readMultiplier(multiplier),
  exposureLimit: readExposure(exposure),
  stopPercent: readBetween(stopPercent, 0, COPY_STOP_LOSS_MIN, COPY_STOP_LOSS_MAX),
})

/** The terms for a dry run or a start; null while one of them cannot be sent. */
function completeTerms(
  values: Values,
  { id: strategyId, feeShare }: Pick<StrategyDetails, 'id' | 'feeShare'>,
  minAmount: Money,
): DryRunQuery | null {
  const { amount, multiplier, exposureLimit, stopPercent } = readTerms(values)
  if (amount === null || amount < minAmount) return null
  if (multiplier === null || exposureLimit === null || stopPercent === null) return null
  return { strategyId, feeShare, amount, multiplier: ratio(multiplier), exposureLimit, stopPercent }
}

/** Says what is wrong with each field before anything is sent. */
function useCheck(minAmount: Money, needsCode: boolean): (values: Values) => Problems<Values> {
  const t = useTranslations('copying')
  const { figures } = useLocale()
  return (values) => {
    const { amount, multiplier, exposureLimit, stopPercent } = readTerms(values)
    return {
      ...(amount === null && { amount: t('amountUnreadable') }),
      ...(amount !== null &&
        amount < minAmount && {
          amount: t('amountTooSmall', { least: asName(figures.publicMoney(minAmount)) }),
        }),
      ...(multiplier === null && { multiplier: t('multiplierProblem') }),
      ...(exposureLimit === null && { exposure: t('exposureProblem', { max: EXPOSURE_LIMIT_MAX }) }),
      ...(stopPercent === null && {
        stopPercent: t('stopLossProblem', { min: COPY_STOP_LOSS_MIN, max: COPY_STOP_LOSS_MAX }),
      }),
      ...(needsCode && values.authCode.trim() === '' && { authCode: t('enterCode') }),
    }
  }
}

/** The form's state; a complete form is shown once more before it is sent. */
function useStartCopy({ strategy: { id, feeShare }, terms: { minAmount } }: FormProps) {
  const form = useKeptForm<Values>(
    `copy of ${id}`,
    () => ({ ...START, amount: decimalText(fromUnits(minAmount, MONEY_DECIMALS), 2) }),
    ['authCode'],
  )
  const { values } = form
  const [needsCode, setNeedsCode] = useState(false)
  const [pending, setPending] = useState<SubmitEvent | null>(null)
  // The values that were confirmed: the code that the server then wants does not need a second confirmation.
  const [confirmed, setConfirmed] = useState<string | null>(null)
  const wanted = JSON.stringify({ ...values, authCode: '', feeShare })
  const terms = useMemo(
    () => completeTerms(values, { id, feeShare }, minAmount),
    [values, id, feeShare, minAmount],
  )
  const check = useCheck(minAmount, needsCode)
  const submit = useSubmit({
    form,
    check,
    send: async ({ isWithOpenOrders, authCode }) =>
      terms && (await sendCopy({ ...terms, isWithOpenOrders, code: authCode.trim() })),
    fields: FIELDS,
    onRejected: ({ reason }) => {
      if (reason === 'secondFactorNeeded') setNeedsCode(true)
      return false
    },
    onDone: (copy) => copy && navigate(copyPath(copy.id), { replace: true }),
  })
  const onSubmit: typeof submit.onSubmit = (event) => {
    const isComplete = Object.values(check(values)).every((problem) => problem === undefined)
    if (!isComplete || confirmed === wanted) return submit.onSubmit(event)
    event.preventDefault()
    setPending(event)
  }
  const confirm = () => {
    if (pending) submit.onSubmit(pending)
    setConfirmed(wanted)
    setPending(null)
  }
  return {
    form,
    terms,
    needsCode,
    onSubmit,
    isBusy: submit.isBusy,
    isConfirming: pending !== null,
    confirm,
    dismiss: () => setPending(null),
  }
}

const SETTLED_MS = 400

/** The terms once they have not changed for a moment, so that typing asks for one dry run and not for one a key. */
function useSettled(terms: DryRunQuery | null): DryRunQuery | null {
  const [settled, setSettled] = useState(terms)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(terms), SETTLED_MS)
    return () => clearTimeout(timer)
  }, [terms])
  return settled
}

const FormLoading = () => (
  <div className="mx-auto flex max-w-2xl flex-col gap-3 px-4">
    <Skeleton shape="h-72 w-full" />
    <Skeleton shape="h-72 w-full" />
  </div>
)
