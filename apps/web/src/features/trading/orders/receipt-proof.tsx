import type { OrderView, Receipt, SealedReceipt } from '@fairlot/contract'
import { useMutation } from '@tanstack/react-query'
import { Info, ShieldAlert, ShieldCheck } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { useInstruments } from '../../../live/market/instruments.ts'
import { fetchReceipts } from '../../../live/account/orders.ts'
import { Button } from '@fairlot/ui/button.tsx'
import { classNames } from '@fairlot/ui/class-names.ts'
import { Icon } from '@fairlot/ui/icon.tsx'
import {
  browserHasher,
  checkReceipt,
  type DecimalsOf,
  hashedText,
  sealedOf,
  type Verdict,
} from './receipt-check.ts'
import { useRef } from 'react'
import { copyText } from '@fairlot/ui/copy-button.tsx'
import { showToast } from '@fairlot/ui/toast.ts'

/** "9f3a…c1e7": enough to tell two apart at a glance; the whole stands below once it is checked. */
const shortHash = (hash: string): string => `${hash.slice(0, 4)}…${hash.slice(-4)}`

type Checked = { readonly verdict: Verdict; readonly sealed: SealedReceipt | null }

type ReceiptCheck = {
  /** Undefined until it has been checked. */
  readonly checked: Checked | undefined
  readonly isBusy: boolean
  readonly check: () => void
}

/** Works a receipt out again in this browser. */
export function useReceiptCheck(receipt: Receipt, order: OrderView): ReceiptCheck {
  const { instruments } = useInstruments()
  const decimalsOf: DecimalsOf = (id) =>
    id === order.instrument.id
      ? order.instrument.priceDecimals
      : instruments?.find((listed) => listed.id === id)?.priceDecimals
  const { data, isPending, mutate } = useMutation({
    mutationFn: async (): Promise<Checked> => {
      const sealed = sealedOf(receipt, await fetchReceipts(order.id))
      const tools = { hasher: browserHasher(), decimalsOf }
      return { verdict: await checkReceipt({ order, receipt }, sealed, tools), sealed }
    },
  })
  return { checked: data, isBusy: isPending || instruments === undefined, check: () => mutate() }
}

/** The hash of a receipt, a button that works it out again, and what came of it. */
export function ReceiptProof({ hash, checking }: { hash: string; checking: ReceiptCheck }) {
  const t = useTranslations('order')
  return (
    <div className="flex flex-col gap-2 border-t border-dashed border-line pt-2 pb-1">
      <p className="flex items-baseline justify-between gap-4 text-note">
        <span className="text-second">{t('hash')}</span>
        <bdi dir="ltr" title={hash} className="font-medium">
          {shortHash(hash)}
        </bdi>
      </p>
      <Button tone="outline" size="small" isWide isBusy={checking.isBusy} onClick={checking.check}>
        {t('checkReceipt')}
      </Button>
      {checking.checked && <Answer checked={checking.checked} hash={hash} />}
    </div>
  )
}

function Answer({ checked: { verdict, sealed }, hash }: { checked: Checked; hash: string }) {
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

/** The answer appears below the button, where the acts of the sheet may cover it. */
const scrollHere = (notice: HTMLElement | null): void => notice?.scrollIntoView({ block: 'nearest' })

const DRAWINGS = {
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
        <Icon of={DRAWINGS[verdict.is]} />
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
    <dd dir="ltr" className="text-start font-mono text-tiny break-all rtl:text-end">
      {value}
    </dd>
  </div>
)

/** The exact text that a hash was made of, to be copied and hashed elsewhere. */
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
