import type { Decimal, OrderView, Receipt, SealedReceipt } from '@fairlot/contract'
import { Check, Info, ShieldAlert, ShieldCheck } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { type Definition, DefinitionList } from '@fairlot/ui/figures/definition-list.tsx'
import { Icon } from '@fairlot/ui/graphics/icon.tsx'
import { Link } from '@fairlot/ui/navigation/router.tsx'
import { type ReactNode, useRef } from 'react'
import { useLocale } from '../../../i18n/locale-provider.tsx'
import { useInstruments } from '../../../live/market/instruments.ts'
import { priceText } from './order-labels.tsx'
import { useMutation } from '@tanstack/react-query'
import { fetchReceipts } from '../../../live/account/orders.ts'
import { Button } from '@fairlot/ui/controls/button.tsx'
import { classNames } from '@fairlot/ui/theme/class-names.ts'
import {
  browserHasher,
  checkReceipt,
  type DecimalsOf,
  hashedText,
  sealedOf,
  type Verdict,
} from './receipt-check.ts'
import { copyText } from '@fairlot/ui/controls/copy-button.tsx'
import { showToast } from '@fairlot/ui/feedback/toast.ts'
import { asName, withNames } from '@fairlot/ui/figures/names.tsx'

type ReceiptCardProps = {
  receipt: Receipt
  order: OrderView
}

/** The receipt of one fill or other decision: its tick, the requested and the filled price. */
export function ReceiptCard({ receipt, order }: ReceiptCardProps) {
  const t = useTranslations('order')
  const checking = useReceiptCheck(receipt, order)
  return (
    <section className="rounded-card px-3.5 py-2 ring-1 ring-line ring-inset">
      <h3 className="flex justify-between gap-4 py-1 font-bold">
        <span>{t(`receiptOf.${receipt.action}`)}</span>
        {checking.checked?.verdict.is === 'genuine' && (
          <span className="flex items-center gap-1 text-note font-medium text-brass">
            <Icon of={Check} size={16} />
            {t('checked')}
          </span>
        )}
      </h3>
      <DefinitionList rows={useReceiptRows(receipt, order)} />
      {receipt.hash !== null && <ReceiptProof hash={receipt.hash} checking={checking} />}
    </section>
  )
}

type Tick = NonNullable<Receipt['tick']>

/** A time to the millisecond: "14:02:07.113". */
export const exactTime = (time: (at: number) => string, at: number): string =>
  `${time(at)}.${String(at % 1000).padStart(3, '0')}`

/** Two figures side by side, which keep their order in right-to-left languages. */
export const pair = (one: string, other: string, between = ' / '): ReactNode => (
  <bdi dir="ltr" translate="no">{`${one}${between}${other}`}</bdi>
)

/** The figures of a receipt as rows; rows that do not apply are left out. */
function useReceiptRows(receipt: Receipt, order: OrderView): Definition[] {
  const t = useTranslations('order')
  const { figures, moments } = useLocale()
  const price = (value: Decimal | null) => priceText(figures, value, order)
  const conversion = useConversionRows(receipt)
  const { tick, requestedPrice, filledPrice, quoteSide } = receipt
  const rows: (Definition | null)[] = [
    { term: t('decidedBy'), value: t(`trigger.${receipt.trigger}`) },
    receipt.kind ? { term: t('orderKindTerm'), value: t('orderKind', { kind: receipt.kind }) } : null,
    receipt.ground ? { term: t('ground'), value: t(`grounds.${receipt.ground}`) } : null,
    { term: t('decidedAt'), value: exactTime(moments.dateTime, receipt.at) },
    tick && { term: t('marketThen'), value: pair(price(tick.bid), price(tick.ask)) },
    tick === null || Number(tick.markUp) === 0
      ? null
      : {
          term: t('markUp'),
          value: (
            <bdi dir="ltr" translate="no">
              {price(tick.markUp)}
            </bdi>
          ),
        },
    [tick, ...receipt.conversion].some((one) => one?.admitted === 'yes')
      ? { term: t('reference'), value: t('referenceAdmitted') }
      : null,
    tick && {
      term: t('tick'),
      value: pair(
        t('tickNumber', { seq: figures.count(tick.seq) }),
        exactTime(moments.time, tick.time),
        ' · ',
      ),
    },
    tick && {
      term: t('tickSource'),
      value: (
        <bdi translate="no" className="break-all">
          {tick.source}
        </bdi>
      ),
    },
    tick && { term: t('delay'), value: t('delayMs', { ms: figures.count(receipt.delayMs) }) },
    filledPrice === null
      ? null
      : { term: t('requestedFilled'), value: pair(price(requestedPrice ?? filledPrice), price(filledPrice)) },
    receipt.terms === 0
      ? null
      : {
          term: t('terms'),
          value: (
            <Link
              to={`/mine/terms?instrument=${order.instrument.id}&version=${receipt.terms}`}
              className="-my-3 inline-flex min-h-11 items-center underline"
            >
              <span>{withNames(t('termsVersion', { version: asName(figures.count(receipt.terms)) }))}</span>
            </Link>
          ),
        },
    filledPrice === null || quoteSide === null
      ? null
      : { term: t('filledOn'), value: t(`quoteSide.${quoteSide}`) },
    filledPrice === null
      ? null
      : { term: t('slippage'), value: <Slippage receipt={receipt} order={order} /> },
    ...conversion,
  ]
  return rows.filter((row) => row !== null)
}

/** Whether a fill was better or worse than requested. */
const slippageDirection = (slippage: Decimal): 'none' | 'better' | 'worse' =>
  Number(slippage) === 0 ? 'none' : Number(slippage) < 0 ? 'worse' : 'better'

function Slippage({ receipt, order }: { receipt: Receipt; order: OrderView }) {
  const t = useTranslations('order')
  const { figures } = useLocale()
  const { slippage } = receipt
  const figure = figures.decimal(slippage, { sign: 'always', shown: order.instrument.priceDecimals })
  const direction = slippageDirection(slippage)
  return (
    <>
      <bdi dir="ltr" translate="no">
        {figure}
      </bdi>{' '}
      {t(`slippageDirection.${direction}`)}
    </>
  )
}

/** The ticks of the pairs that converted the result into the account currency. */
function useConversionRows({ conversion }: Receipt): Definition[] {
  const t = useTranslations('order')
  const { figures, moments } = useLocale()
  const { instruments } = useInstruments()
  const price = (value: Decimal, tick: Tick) => {
    const listed = instruments?.find(({ id }) => id === tick.instrumentId)
    return figures.decimal(value, listed && { shown: listed.priceDecimals })
  }
  const nameOf = (id: number) => instruments?.find((listed) => listed.id === id)?.showCode ?? `${id}`
  return conversion.map((tick) => ({
    term: t('convertedWith', { code: nameOf(tick.instrumentId) }),
    value: (
      <>
        {pair(price(tick.bid, tick), price(tick.ask, tick))}
        <br />
        <span className="font-normal text-second">
          {pair(t('tickNumber', { seq: figures.count(tick.seq) }), exactTime(moments.time, tick.time), ' · ')}
        </span>
      </>
    ),
  }))
}

/** A short form of a hash, "9f3a…c1e7"; the whole hash is shown once the receipt is checked. */
const shortHash = (hash: string): string => `${hash.slice(0, 4)}…${hash.slice(-4)}`

type Checked = { readonly verdict: Verdict; readonly sealed: SealedReceipt | null }

type ReceiptCheck = {
  /** Undefined until it has been checked. */
  readonly checked: Checked | undefined
  readonly isBusy: boolean
  readonly check: () => void
}

/** Checks a receipt in this browser. */
function useReceiptCheck(receipt: Receipt, order: OrderView): ReceiptCheck {
  const { instruments } = useInstruments()
  const decimalsOf: DecimalsOf = (id) =>
    id === order.instrument.id
      ? order.instrument.priceDecimals
      : instruments?.find((listed) => listed.id === id)?.priceDecimals
  const { data, isPending, mutate } = useMutation({
    mutationFn: async (): Promise<Checked> => {
      const all = await fetchReceipts(order.id)
      const sealed = sealedOf(receipt, all)
      const tools = { hasher: browserHasher(), decimalsOf }
      return { verdict: await checkReceipt({ order, receipt }, sealed, tools), sealed }
    },
  })
  return { checked: data, isBusy: isPending || instruments === undefined, check: () => mutate() }
}

type ReceiptProofProps = {
  hash: string
  checking: ReceiptCheck
}

/** The hash of a receipt, a button that checks it, and the result. */
function ReceiptProof({ hash, checking }: ReceiptProofProps) {
  const t = useTranslations('order')
  return (
    <div className="flex flex-col gap-2 border-t border-dashed border-line pt-2 pb-1">
      <p className="flex items-baseline justify-between gap-4 text-note">
        <span className="text-second">{t('hash')}</span>
        <bdi dir="ltr" translate="no" title={hash} className="font-medium">
          {shortHash(hash)}
        </bdi>
      </p>
      <Button tone="outline" size="small" isWide isBusy={checking.isBusy} onClick={checking.check}>
        {t('checkReceipt')}
      </Button>
      {checking.checked && <CheckResult checked={checking.checked} hash={hash} />}
    </div>
  )
}

function CheckResult({ checked: { verdict, sealed }, hash }: { checked: Checked; hash: string }) {
  const t = useTranslations('order')
  return (
    <>
      <VerdictNotice verdict={verdict} />
      <dl className="flex flex-col gap-1 text-note">
        {sealed && <Fact term={t('receiptNumber')} value={`${sealed.number}`} />}
        <Fact term={t('hashOnReceipt')} value={hash} />
        {verdict.is === 'genuine' && <Fact term={t('hashComputed')} value={hash} />}
        {verdict.is === 'otherHash' && <Fact term={t('hashComputed')} value={verdict.computed} />}
      </dl>
      {sealed && <HashedText sealed={sealed} />}
    </>
  )
}

/** The result appears below the button, where the sheet's actions may cover it. */
const scrollHere = (notice: HTMLElement | null): void => notice?.scrollIntoView({ block: 'nearest' })

const ICONS = {
  genuine: ShieldCheck,
  cannotHash: Info,
  missing: ShieldAlert,
  otherHash: ShieldAlert,
  otherFigures: ShieldAlert,
} as const

function VerdictNotice({ verdict }: { verdict: Verdict }) {
  const t = useTranslations('order')
  const app = useTranslations('app')
  const isBad = verdict.is !== 'genuine' && verdict.is !== 'cannotHash'
  const parts = verdict.is === 'otherFigures' ? verdict.parts.map((part) => t(`checkedPart.${part}`)) : []
  return (
    <div
      role="status"
      ref={scrollHere}
      className={classNames(
        'flex scroll-mb-24 gap-2.5 rounded-field px-3 py-2.5 text-note',
        isBad ? 'bg-danger-tint' : 'bg-brass-tint',
      )}
    >
      <span className={isBad ? 'text-danger' : 'text-brass'}>
        <Icon of={ICONS[verdict.is]} />
      </span>
      <div className="min-w-0">
        <p className={classNames('font-bold', isBad ? 'text-danger' : 'text-ink')}>
          {t(`verdict.${verdict.is}`)}
        </p>
        <p className="text-ink">{t(`verdictText.${verdict.is}`, { parts: parts.join(app('listComma')) })}</p>
      </div>
    </div>
  )
}

const Fact = ({ term, value }: { term: string; value: string }) => (
  <div>
    <dt className="text-tiny text-second">{term}</dt>
    <dd dir="ltr" translate="no" className="text-start font-mono text-tiny break-all rtl:text-end">
      {value}
    </dd>
  </div>
)

/** The exact text of a hash, to be copied and hashed elsewhere. */
function HashedText({ sealed }: { sealed: SealedReceipt }) {
  const t = useTranslations('order')
  const box = useRef<HTMLPreElement>(null)
  const copy = async () => {
    const isCopied = await copyText(
      hashedText(sealed),
      () => box.current && getSelection()?.selectAllChildren(box.current),
    )
    showToast({ text: t(isCopied ? 'textCopied' : 'textSelected') })
  }
  return (
    <div className="flex flex-col gap-1">
      <p className="text-tiny text-second">{t('hashedText')}</p>
      <pre
        ref={box}
        dir="ltr"
        translate="no"
        className="rounded-field bg-page px-3 py-2 text-start font-mono text-tiny break-all whitespace-pre-wrap select-text"
      >
        <span className="text-brass">{sealed.previousHash}</span>
        {sealed.body}
      </pre>
      <p className="text-tiny text-second">{t('hashedTextHint')}</p>
      <div>
        <Button tone="outline" size="small" onClick={() => void copy()}>
          {t('copyText')}
        </Button>
      </div>
    </div>
  )
}
