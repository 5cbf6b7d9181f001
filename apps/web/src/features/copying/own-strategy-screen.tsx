import type { OwnStrategy } from '@fairlot/contract'
import { formatDecimal, parseDecimal, ratio, RATIO_DECIMALS } from '@fairlot/core'
import { EyeOff } from 'lucide-react'
import { type SubmitEvent, useState } from 'react'
import { useTranslations } from 'use-intl'
import { Button, buttonClass } from '@fairlot/ui/controls/button.tsx'
import { textButtonClass } from '@fairlot/ui/controls/text-button.tsx'
import { Skeleton } from '@fairlot/ui/feedback/skeleton.tsx'
import { showToast } from '@fairlot/ui/feedback/toast.ts'
import { FactList } from '@fairlot/ui/figures/fact-list.tsx'
import { TextField } from '@fairlot/ui/forms/field.tsx'
import { NumberField } from '@fairlot/ui/forms/number-field.tsx'
import { FormFrame, FormNote } from '@fairlot/ui/forms/form-frame.tsx'
import { TextAreaField } from '@fairlot/ui/forms/text-area-field.tsx'
import type { Problems } from '@fairlot/ui/forms/use-form.ts'
import { Icon } from '@fairlot/ui/graphics/icon.tsx'
import { Card } from '@fairlot/ui/layout/card.tsx'
import { Link } from '@fairlot/ui/navigation/router.tsx'
import { Confirm } from '@fairlot/ui/overlays/sheet.tsx'
import { asName, Name, withNames } from '@fairlot/ui/figures/names.tsx'
import { useLocale } from '../../i18n/locale-provider.tsx'
import { marketNow } from '../../live/market/market-clock.ts'
import { useSubmit } from '../../live/requests/use-submit.ts'
import { useKeptForm } from '../../live/session/kept-input.ts'
import { keptDemo, useCaller, useHasDemo, useUser } from '../../live/session/user.ts'
import { FailedState } from '../../ui/failed-state.tsx'
import { Cell, Cells, OwnAmount, rateText, Share, StrategyBadges, strategyPath } from './figures.tsx'
import { nameOwnDemo, publish, unpublish, useOwnStrategy } from './queries.ts'

/** Publishing the own trading as a strategy, changing its texts and fee, and ending it; who copies it stays unnamed. */
export function OwnStrategyScreen() {
  // The card of the demo account logs in to another account on this screen, whose strategy is then fetched.
  return <OwnStrategyOf key={useCaller()} />
}

function OwnStrategyOf() {
  const t = useTranslations('copying')
  const { data, error, refetch } = useOwnStrategy()
  return (
    <div className="mx-auto flex max-w-2xl flex-col gap-3 px-4 pb-8">
      {data ? (
        <Content own={data} />
      ) : error ? (
        <FailedState title={t('ownFailed')} text={t('failedText')} error={error} onRetry={refetch} />
      ) : (
        <OwnLoading />
      )}
    </div>
  )
}

type OwnProps = { own: OwnStrategy }
type Published = NonNullable<OwnStrategy['strategy']>

function Content({ own }: OwnProps) {
  const { strategy, barrier } = own
  const isRunning = strategy !== null && strategy.endedAt === null
  return (
    <>
      {strategy && <PublishedCard strategy={strategy} />}
      {isRunning ? (
        <>
          <StrategyFormCard own={own} published={strategy} />
          <EndCard strategy={strategy} />
        </>
      ) : (
        <>
          <PublicCard />
          {barrier === null ? <StrategyFormCard own={own} published={null} /> : <BarrierCard own={own} />}
          <OwnDemoCard />
        </>
      )}
    </>
  )
}

/** Copiers, their money, and the fees earned. */
function PublishedCard({ strategy }: { strategy: Published }) {
  const t = useTranslations('copying')
  const { figures, moments } = useLocale()
  return (
    <Card>
      <div className="flex flex-col gap-3">
        <div className="flex flex-wrap items-center gap-2">
          <h2 className="min-w-0 text-title font-bold wrap-anywhere">
            <bdi translate="no">{strategy.name}</bdi>
          </h2>
          <StrategyBadges strategy={strategy} />
        </div>
        <p className="text-note text-second">
          {strategy.endedAt === null
            ? withNames(
                t('publishedSince', { time: asName(moments.soon(strategy.publishedAt, marketNow())) }),
              )
            : withNames(
                t('publishedUntil', {
                  from: asName(moments.soon(strategy.publishedAt, marketNow())),
                  to: asName(moments.soon(strategy.endedAt, marketNow())),
                }),
              )}
        </p>
        {strategy.hiddenFor !== null && (
          <p role="status" className="flex gap-2 rounded-field bg-danger-tint px-3 py-2 text-note">
            <span className="text-danger">
              <Icon of={EyeOff} size={18} />
            </span>
            <span>{t('hiddenFor', { reason: strategy.hiddenFor })}</span>
          </p>
        )}
        <Cells isFour>
          <Cell name={t('copiers')}>
            <Name>{figures.count(strategy.copiers)}</Name>
          </Cell>
          <Cell name={t('copiedMoney')}>
            <OwnAmount units={strategy.copiedMoney} />
          </Cell>
          <Cell name={t('feesEarned')}>
            <OwnAmount units={strategy.feesEarned} />
          </Cell>
          <Cell name={t('feeOnProfit')}>
            <Share share={strategy.feeShare} />
          </Cell>
        </Cells>
        <p className="text-note text-second">{t('copiersUnnamed')}</p>
        <Link to={strategyPath(strategy.id)} className={textButtonClass}>
          {t('asOthersSee')}
        </Link>
      </div>
    </Card>
  )
}

const PUBLIC = ['name', 'figures', 'orders', 'openLoss', 'others', 'copiers'] as const
const PRIVATE = ['levels', 'person', 'money'] as const

/** What becomes public by publishing, shown before. */
function PublicCard() {
  const t = useTranslations('copying')
  return (
    <Card>
      <h2 className="mb-1 font-bold">{t('becomesPublic')}</h2>
      <ul className="mb-3 list-disc ps-5 text-note">
        {PUBLIC.map((part) => (
          <li key={part}>{t(`public.${part}`)}</li>
        ))}
      </ul>
      <h3 className="mb-1 text-note font-bold">{t('staysPrivate')}</h3>
      <ul className="mb-3 list-disc ps-5 text-note">
        {PRIVATE.map((part) => (
          <li key={part}>{t(`private.${part}`)}</li>
        ))}
      </ul>
      <p className="text-note text-second">{t('publishOneText')}</p>
      <Link to="/rank/method" className={textButtonClass}>
        {t('howWeRank')}
      </Link>
    </Card>
  )
}

/** Where a barrier can be removed. */
const WAYS = {
  identity: '/mine/auth',
  registration: '/register',
  deposit: '/mine/charge',
  reset: '/user',
} as const

/** The way past a barrier; null where only time or an operator removes it. */
function wayPast(barrier: OwnStrategy['barrier'], isDemo: boolean): keyof typeof WAYS | null {
  if (barrier === 'identity' || barrier === 'registration') return barrier
  if (barrier === 'equity') return isDemo ? 'reset' : 'deposit'
  return null
}

/** Why nothing can be published now, and the way there. */
function BarrierCard({ own: { barrier, publishableAt, minEquity } }: OwnProps) {
  const t = useTranslations('copying')
  const { figures, moments } = useLocale()
  const isDemo = useUser()?.isDemo ?? false
  if (barrier === null) return null
  const way = wayPast(barrier, isDemo)
  return (
    <section className="rounded-card border-s-4 border-brass bg-surface p-4">
      <h2 className="mb-1 font-bold">{t(`publishBarrier.${barrier}`)}</h2>
      <p className="text-note text-second">
        {withNames(
          t(`publishBarrierText.${barrier}`, {
            least: asName(figures.publicMoney(minEquity)),
            time: publishableAt === null ? '' : asName(moments.dateTime(publishableAt)),
          }),
        )}
      </p>
      {way !== null && (
        <div className="mt-3">
          <Link to={WAYS[way]} className={buttonClass('outline')}>
            {t(`publishWay.${way}`)}
          </Link>
        </div>
      )}
    </section>
  )
}

/** For a registered user whose device has a demo account: names it as theirs and opens it, so that it may publish. */
function OwnDemoCard() {
  const t = useTranslations('copying')
  const caller = useCaller()
  const hasDemo = useHasDemo()
  const [isBusy, setIsBusy] = useState(false)
  if (caller !== 'real' || !hasDemo) return null
  const open = () => {
    setIsBusy(true)
    openOwnDemo()
      .catch(() => undefined)
      .finally(() => setIsBusy(false))
  }
  return (
    <Card>
      <h2 className="mb-1 font-bold">{t('ownDemoTitle')}</h2>
      <p className="mb-3 text-note text-second">{t('ownDemoText')}</p>
      <Button tone="outline" isBusy={isBusy} onClick={open}>
        {t('ownDemoConfirm')}
      </Button>
    </Card>
  )
}

/** Rejects when the server rejects it; the message has been shown by then. */
async function openOwnDemo(): Promise<void> {
  const demoId = keptDemo()
  if (demoId === null) return
  await nameOwnDemo(demoId)
  await (await import('../../live/session/session.ts')).startDemo()
}

type Values = { name: string; description: string; fee: string }

const NAME_MAX = 40
const DESCRIPTION_MAX = 1000

type FormCardProps = OwnProps & {
  /** Null before the publication. */
  published: Published | null
}

function StrategyFormCard({ own, published }: FormCardProps) {
  const t = useTranslations('copying')
  const { figures } = useLocale()
  const most = rateText(figures, own.maxFeeShare, { shown: 0 })
  const { form, onSubmit, isBusy, isConfirming, confirm, dismiss } = useStrategyForm({ own, published })
  const { values, problems, set } = form
  return (
    <Card>
      <h2 className="mb-3 font-bold">{t(published ? 'editTitle' : 'publishTitle')}</h2>
      <FormFrame form={form} onSubmit={onSubmit}>
        <TextField
          label={t('strategyName')}
          hint={t('strategyNameHint')}
          value={values.name}
          maxLength={NAME_MAX}
          autoComplete="off"
          problem={problems.name}
          onChange={(name) => set({ name })}
        />
        <TextAreaField
          label={t('strategyDescription')}
          hint={t('strategyDescriptionHint')}
          value={values.description}
          maxLength={DESCRIPTION_MAX}
          problem={problems.description}
          onChange={(description) => set({ description })}
        />
        <NumberField
          label={t('feePercent')}
          hint={t(published ? 'feeEditHint' : 'feeHint', { most })}
          value={values.fee}
          problem={problems.fee}
          onChange={(fee) => set({ fee })}
        />
        <FormNote text={form.note} />
        <Button type="submit" isWide isBusy={isBusy}>
          {t(published ? 'saveStrategy' : 'publish')}
        </Button>
      </FormFrame>
      <Confirm
        isOpen={isConfirming}
        title={t('publishConfirm', { name: asName(values.name.trim()) })}
        text={
          <div className="flex flex-col gap-3">
            <p>{t('publishConfirmText')}</p>
            <FactList
              facts={[
                { label: t('strategyName'), value: <bdi translate="no">{values.name.trim()}</bdi> },
                {
                  label: t('feePercent'),
                  value: (
                    <bdi dir="ltr" translate="no">
                      {values.fee.trim()}
                    </bdi>
                  ),
                },
              ]}
            />
          </div>
        }
        confirmLabel={t('publish')}
        cancelLabel={t('confirmBack')}
        onConfirm={confirm}
        onClose={dismiss}
      />
    </Card>
  )
}

/** The form field of each reason of a refusal. */
const ERROR_FIELDS = {
  strategyNameInvalid: 'name',
  strategyNameTaken: 'name',
  strategyNameOfOperator: 'name',
  textTooLong: 'description',
  feeShareInvalid: 'fee',
} as const

const FEE_DECIMALS = RATIO_DECIMALS - 2

/** A fee in percent: 12.5; null unless it is between nothing and the highest. */
function readFee(text: string, most: number): number | null {
  const units = parseDecimal(text, FEE_DECIMALS)
  return units !== null && units >= 0n && units <= BigInt(most) ? Number(units) : null
}

/** "12.5" of a ratio, without the zeros at its end. */
const feeText = (share: number): string => String(Number(formatDecimal(share, FEE_DECIMALS)))

/** The form's state; publishing is confirmed, a change is not. */
function useStrategyForm({ own: { maxFeeShare }, published }: FormCardProps) {
  const t = useTranslations('copying')
  const { figures } = useLocale()
  const [pending, setPending] = useState<SubmitEvent | null>(null)
  const form = useKeptForm<Values>('own strategy', () => ({
    name: published?.name ?? '',
    description: published?.description ?? '',
    fee: feeText(published?.feeShare ?? 0),
  }))
  const check = ({ name, fee }: Values): Problems<Values> => ({
    ...(name.trim() === '' && { name: t('enterName') }),
    ...(readFee(fee, maxFeeShare) === null && {
      fee: t('feeProblem', { most: rateText(figures, maxFeeShare, { shown: 0 }) }),
    }),
  })
  const submit = useSubmit({
    form,
    check,
    send: ({ name, description, fee }) =>
      publish({
        name: name.trim(),
        description: description.trim(),
        feeShare: ratio(readFee(fee, maxFeeShare) ?? 0),
      }),
    fields: ERROR_FIELDS,
    onDone: () => showToast({ text: t(published ? 'strategySaved' : 'published') }),
  })
  const onSubmit: typeof submit.onSubmit = (event) => {
    const isComplete = Object.values(check(form.values)).every((problem) => problem === undefined)
    if (!isComplete || published) return submit.onSubmit(event)
    event.preventDefault()
    setPending(event)
  }
  const confirm = () => {
    if (pending) submit.onSubmit(pending)
    setPending(null)
  }
  const dismiss = () => setPending(null)
  return { form, onSubmit, isBusy: submit.isBusy, isConfirming: pending !== null, confirm, dismiss }
}

/** Ends the strategy for good. */
function EndCard({ strategy }: { strategy: Published }) {
  const t = useTranslations('copying')
  const [isConfirming, setIsConfirming] = useState(false)
  const [isBusy, setIsBusy] = useState(false)
  const end = () => {
    setIsConfirming(false)
    setIsBusy(true)
    unpublish()
      .catch(() => undefined)
      .finally(() => setIsBusy(false))
  }
  return (
    <Card>
      <h2 className="mb-1 font-bold">{t('endStrategy')}</h2>
      <p className="mb-3 text-note text-second">{t('endStrategyText')}</p>
      <Button tone="outline" isWide isBusy={isBusy} onClick={() => setIsConfirming(true)}>
        {t('endStrategy')}
      </Button>
      <Confirm
        isOpen={isConfirming}
        title={t('endTitle', { name: asName(strategy.name) })}
        text={t('endText', { count: strategy.copiers })}
        confirmLabel={t('endStrategy')}
        cancelLabel={t('keepStrategy')}
        tone="danger"
        onConfirm={end}
        onClose={() => setIsConfirming(false)}
      />
    </Card>
  )
}

const OwnLoading = () => (
  <>
    <Skeleton shape="h-40 w-full" />
    <Skeleton shape="h-64 w-full" />
  </>
)
