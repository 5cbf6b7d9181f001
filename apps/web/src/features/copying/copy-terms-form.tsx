import type { CopyView } from '@fairlot/contract'
import {
  EXPOSURE_LIMIT_MAX,
  decimalText,
  fromUnits,
  MULTIPLIER_MAX,
  MULTIPLIER_MIN,
  parseDecimal,
  ratio,
  RATIO_DECIMALS,
} from '@fairlot/core'
import { useTranslations } from 'use-intl'
import { Button } from '@fairlot/ui/controls/button.tsx'
import { Checkbox } from '@fairlot/ui/forms/checkbox.tsx'
import { FormFrame, FormNote } from '@fairlot/ui/forms/form-frame.tsx'
import { NumberStepper } from '@fairlot/ui/forms/number-stepper.tsx'
import { useInstruments } from '../../live/market/instruments.ts'
import { useSubmit } from '../../live/requests/use-submit.ts'
import { useKeptForm } from '../../live/session/kept-input.ts'
import { changeTerms, useStrategy } from './queries.ts'

/** Parses the number of a field, in units of 10^-decimals; null when it is none or out of its range. */
export function readBetween(text: string, decimals: number, min: number, max: number): number | null {
  const units = parseDecimal(text, decimals)
  return units !== null && units >= BigInt(min) && units <= BigInt(max) ? Number(units) : null
}

export const readMultiplier = (text: string): number | null =>
  readBetween(text, RATIO_DECIMALS, MULTIPLIER_MIN, MULTIPLIER_MAX)

export const readExposure = (text: string): number | null => readBetween(text, 0, 1, EXPOSURE_LIMIT_MAX)

type CopyTermsFormProps = { copy: CopyView; onDone: () => void }

/** Null until the user changes it: what another device sets meanwhile is shown, and not replaced. */
type Values = { multiplier: string | null; exposure: string | null; excluded: readonly number[] | null }

/** How a running copy sizes its next openings, and which instruments it leaves out. */
export function CopyTermsForm({ copy, onDone }: CopyTermsFormProps) {
  const t = useTranslations('copying')
  const form = useKeptForm<Values>(`copy terms ${copy.id}`, () => ({
    multiplier: null,
    exposure: null,
    excluded: null,
  }))
  const { values, problems, set } = form
  const excluded = values.excluded ?? copy.excluded
  const { onSubmit, isBusy } = useSubmit({
    form,
    check: ({ multiplier, exposure }) => ({
      ...(multiplier !== null &&
        readMultiplier(multiplier) === null && { multiplier: t('multiplierProblem') }),
      ...(exposure !== null &&
        readExposure(exposure) === null && { exposure: t('exposureProblem', { max: EXPOSURE_LIMIT_MAX }) }),
    }),
    send: async ({ multiplier, exposure, excluded: chosen }) => {
      const units = multiplier === null ? null : readMultiplier(multiplier)
      await changeTerms({
        copyId: copy.id,
        multiplier: units === null ? null : ratio(units),
        exposureLimit: exposure === null ? null : readExposure(exposure),
        excluded: chosen,
      })
    },
    fields: { copyTermsInvalid: 'multiplier' },
    onDone,
  })
  return (
    <FormFrame form={form} onSubmit={onSubmit}>
      <div className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,9rem),1fr))] items-end gap-3">
        <NumberStepper
          label={t('multiplier')}
          decreaseLabel={t('multiplierLess')}
          increaseLabel={t('multiplierMore')}
          value={values.multiplier ?? decimalText(fromUnits(copy.multiplier, RATIO_DECIMALS))}
          step="0.1"
          min="0.1"
          max="10"
          problem={problems.multiplier}
          onChange={(multiplier) => set({ multiplier })}
        />
        <NumberStepper
          label={t('exposure')}
          decreaseLabel={t('exposureLess')}
          increaseLabel={t('exposureMore')}
          value={values.exposure ?? String(copy.exposureLimit)}
          step="1"
          min="1"
          max={String(EXPOSURE_LIMIT_MAX)}
          problem={problems.exposure}
          onChange={(exposure) => set({ exposure })}
        />
      </div>
      <CopiedInstruments copy={copy} excluded={excluded} onChange={(chosen) => set({ excluded: chosen })} />
      <p className="text-note text-second">{t('termsLater')}</p>
      <FormNote text={form.note} />
      <Button type="submit" isWide isBusy={isBusy}>
        {t('saveStopLoss')}
      </Button>
    </FormFrame>
  )
}

type CopiedInstrumentsProps = {
  copy: CopyView
  excluded: readonly number[]
  onChange: (excluded: readonly number[]) => void
}

/** The instruments that the strategy has traded, and those that are left out already. */
function CopiedInstruments({ copy, excluded, onChange }: CopiedInstrumentsProps) {
  const t = useTranslations('copying')
  const { data: strategy } = useStrategy(copy.strategyId)
  const { instruments } = useInstruments()
  const traded = strategy?.instruments.map(({ instrumentId }) => instrumentId) ?? []
  const listed = (instruments ?? []).filter(({ id }) => traded.includes(id) || copy.excluded.includes(id))
  if (listed.length === 0) return null
  return (
    <fieldset>
      <legend className="text-note text-second">{t('copiedInstruments')}</legend>
      <div className="grid grid-cols-2 gap-x-3">
        {listed.map(({ id, showCode }) => (
          <Checkbox
            key={id}
            isChecked={!excluded.includes(id)}
            onChange={(isCopied) =>
              onChange(isCopied ? excluded.filter((other) => other !== id) : [...excluded, id])
            }
          >
            <bdi translate="no">{showCode}</bdi>
          </Checkbox>
        ))}
      </div>
    </fieldset>
  )
}

/** The codes of excluded instruments; those that are no longer listed have none. */
export function useExcludedCodes({ excluded }: CopyView): readonly string[] {
  const { instruments } = useInstruments()
  return (instruments ?? []).filter(({ id }) => excluded.includes(id)).map(({ showCode }) => showCode)
}
