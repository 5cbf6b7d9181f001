import { CallError } from '@fairlot/contract'
import type { Decimal, Failure, OrderView } from '@fairlot/contract'
import { decimalText } from '@fairlot/core/decimal'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useLocale } from '../../../i18n/locale-provider.tsx'
import { useMarkToMarket } from '../../../live/account/account.ts'
import { failureText } from '../../../live/requests/failure-text.ts'
import { useInstrument } from '../../../live/market/instruments.ts'
import { changeStops } from '../../../live/account/orders.ts'
import { Button } from '@fairlot/ui/button.tsx'
import { ButtonRow } from '@fairlot/ui/button-row.tsx'
import { TextField } from '@fairlot/ui/field.tsx'
import { showToast } from '@fairlot/ui/toast.ts'
import { priceText } from './order-labels.tsx'
import { readStop, stopReference, stopSide } from './stops.ts'
import type { StopName } from './stops.ts'
import { refreshAfterFailure } from './use-closing.ts'

type Texts = Record<StopName, string>
type Problems = Partial<Record<StopName, string>>

const NAMES: readonly StopName[] = ['stopLoss', 'takeProfit']
const FIELD_OF: Record<string, StopName> = {
  stopLossWrongSide: 'stopLoss',
  takeProfitWrongSide: 'takeProfit',
}

/** Why it failed, at the field it is about; what concerns neither stands at the first. */
const problemsOf = ({ reason }: Failure, text: string | null): Problems =>
  text === null ? {} : { [FIELD_OF[reason] ?? 'stopLoss']: text }

type StopsFormProps = { order: OrderView; onDone: () => void }

/** Sets, moves or clears both stops of an order. */
export function StopsForm({ order, onDone }: StopsFormProps) {
  const t = useTranslations('order')
  const { save, isSaving, texts, setText, problems } = useStops(order, onDone)
  return (
    <form
      noValidate
      className="flex flex-col gap-3 pt-3"
      onSubmit={(event) => {
        event.preventDefault()
        save()
      }}
    >
      <h3 className="text-title font-bold">{t('stopsTitle', { code: order.instrument.showCode })}</h3>
      <p className="text-note text-second">{t('stopsHint')}</p>
      {order.trailingDistance !== null && (
        <p className="rounded-field bg-brass-tint px-3 py-2 text-note">{t('stopsEndTrailing')}</p>
      )}
      {NAMES.map((name) => (
        <StopField
          key={name}
          name={name}
          order={order}
          text={texts[name]}
          problem={problems[name]}
          onChange={(text) => setText(name, text)}
        />
      ))}
      <ButtonRow>
        <Button tone="outline" onClick={onDone}>
          {t('back')}
        </Button>
        <Button type="submit" isBusy={isSaving}>
          {t('save')}
        </Button>
      </ButtonRow>
    </form>
  )
}

type StopFieldProps = {
  name: StopName
  order: OrderView
  text: string
  problem: string | undefined
  onChange: (text: string) => void
}

function StopField({ name, order, text, problem, onChange }: StopFieldProps) {
  const t = useTranslations('order')
  const { figures } = useLocale()
  const reference = stopReference({ ...order, ...useMarkToMarket(order) })
  const price = priceText(figures, reference, order)
  const isBelow = stopSide(name, order.side) === 'below'
  return (
    <TextField
      label={t(name)}
      hint={reference && t(isBelow ? 'stopLossHintBelow' : 'stopLossHintAbove', { price })}
      problem={problem}
      inputMode="decimal"
      autoComplete="off"
      dir="ltr"
      value={text}
      placeholder={t('notSet')}
      onChange={onChange}
    />
  )
}

function useStops(order: OrderView, onDone: () => void) {
  const t = useTranslations('order')
  const app = useTranslations('app')
  const { figures } = useLocale()
  const [texts, setTexts] = useState<Texts>({
    stopLoss: order.stopLoss === null ? '' : decimalText(order.stopLoss),
    takeProfit: order.takeProfit === null ? '' : decimalText(order.takeProfit),
  })
  const [problems, setProblems] = useState<Problems>({})
  const allowsNegativePrice = useInstrument(order.instrument.id)?.allowsNegativePrice ?? false
  const change = useMutation({
    mutationFn: changeStops,
    onSuccess: ({ warning }) => {
      if (warning !== null) showToast({ text: warning, tone: 'problem', stays: true })
      onDone()
    },
    onError: (error) => {
      refreshAfterFailure()
      if (error instanceof CallError) setProblems(problemsOf(error.failure, failureText(error.failure, app)))
    },
  })
  const save = () => {
    const read = (name: StopName) => readStop(texts[name], { allowsNegativePrice, ...order.instrument })
    const unreadable = NAMES.filter((name) => read(name).kind === 'unreadable')
    const example = priceText(figures, stopReference(order) ?? order.acceptedPrice, order)
    if (unreadable.length > 0)
      return setProblems(Object.fromEntries(unreadable.map((name) => [name, t('notANumber', { example })])))
    const priceOf = (name: StopName): Decimal | null => {
      const stop = read(name)
      return stop.kind === 'price' ? stop.price : null
    }
    change.mutate({ orderId: order.id, stopLoss: priceOf('stopLoss'), takeProfit: priceOf('takeProfit') })
  }
  const setText = (name: StopName, text: string) => {
    setTexts((before) => ({ ...before, [name]: text }))
    setProblems(({ [name]: _, ...others }) => others)
  }
  return { save, isSaving: change.isPending, texts, setText, problems }
}
