import type { OrderView } from '@fairlot/contract'
import { formatDecimal, LOTS_DECIMALS, type Lots } from '@fairlot/core'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useLocale } from '../../../i18n/locale-provider.tsx'
import { useMarkToMarket } from '../../../live/account/account.ts'
import { Button } from '@fairlot/ui/button.tsx'
import { ButtonRow } from '@fairlot/ui/button-row.tsx'
import { Chip } from '@fairlot/ui/chip.tsx'
import { NumberStepper } from '@fairlot/ui/number-stepper.tsx'
import { lotText } from '../ticket/lot-text.ts'
import { readLots, valueOf } from '../ticket/ticket-parser.ts'
import { useCloseBlock } from './close-blocked.ts'
import { type LotRule, partOf, partProblem, type PartRange, SHARES, useLotRule } from './partial-close.ts'
import { lotsText, priceText } from './order-labels.tsx'
import { shareOf, useClosing } from './use-closing.ts'

type PartFormProps = { order: OrderView; range: PartRange; onDone: () => void }

/** Closes a part of a position: a share of it, or lots as typed. */
export function PartialCloseForm({ order, range, onDone }: PartFormProps) {
  const t = useTranslations('order')
  const bar = useCloseBlock(order)
  const rule = useLotRule(order)
  const { close, isClosing } = useClosing(order, onDone)
  const [text, setText] = useState(lotText(partOf(order.lots, 50, rule) ?? range.least, rule.lotStep))
  const part = valueOf(readLots(text))
  const problem = partProblem(part, order.lots, rule)
  const written = (lots: Lots) => lotText(lots, rule.lotStep)
  return (
    <form
      noValidate
      className="flex flex-col gap-3 pt-3"
      onSubmit={(event) => {
        event.preventDefault()
        if (problem === null) close(part)
      }}
    >
      <h3 className="text-title font-bold">{t('partTitle', { code: order.instrument.showCode })}</h3>
      <Shares order={order} rule={rule} part={part} onChoose={(lots) => setText(written(lots))} />
      <NumberStepper
        label={t('partLots')}
        decreaseLabel={t('partFewer')}
        increaseLabel={t('partMore')}
        value={text}
        step={formatDecimal(rule.lotStep, LOTS_DECIMALS)}
        min={written(range.least)}
        max={written(range.most)}
        problem={useProblemText(problem, rule, range)}
        onChange={setText}
      />
      <Outcome order={order} part={problem === null ? part : null} />
      {bar !== null && <p className="text-note text-second">{bar}</p>}
      <ButtonRow>
        <Button tone="outline" onClick={onDone}>
          {t('back')}
        </Button>
        <Button type="submit" isBusy={isClosing} disabled={problem !== null || bar !== null}>
          {t('closeLots', { lots: text })}
        </Button>
      </ButtonRow>
    </form>
  )
}

type SharesProps = { order: OrderView; rule: LotRule; part: Lots | null; onChoose: (lots: Lots) => void }

function Shares({ order, rule, part, onChoose }: SharesProps) {
  const t = useTranslations('order')
  const { figures } = useLocale()
  return (
    <div role="group" aria-label={t('shares')} className="flex flex-wrap gap-2">
      {SHARES.map((percent) => {
        const lots = partOf(order.lots, percent, rule)
        return (
          lots !== null && (
            <Chip key={percent} isSelected={part === lots} onSelect={() => onChoose(lots)}>
              <bdi dir="ltr">{figures.percent(`${percent}`, { shown: 0 })}</bdi>
            </Chip>
          )
        )
      })}
    </div>
  )
}

/** What closing this part would do at the price of now; nothing while it cannot be closed. */
function Outcome({ order, part }: { order: OrderView; part: Lots | null }) {
  const t = useTranslations('order')
  const { figures } = useLocale()
  const { currentPrice, profit } = useMarkToMarket(order)
  if (part === null) return null
  return (
    <p className="text-note text-second">
      {t('partText', {
        lots: lotsText(figures, part),
        left: lotsText(figures, order.lots - part),
        price: priceText(figures, currentPrice, order),
        profit: figures.fineText(shareOf(profit, part, order.lots), { sign: 'always' }),
      })}
    </p>
  )
}

function useProblemText(
  problem: ReturnType<typeof partProblem>,
  { lotStep }: LotRule,
  { least, most }: PartRange,
): string | null {
  const t = useTranslations('order')
  const { figures } = useLocale()
  if (problem === null) return null
  return t(`partProblem.${problem}`, {
    least: lotsText(figures, least),
    most: lotsText(figures, most),
    step: lotsText(figures, lotStep),
  })
}
