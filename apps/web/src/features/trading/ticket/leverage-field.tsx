import { Check, ChevronDown } from 'lucide-react'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { controlClass, Field } from '@fairlot/ui/field.tsx'
import { Icon } from '@fairlot/ui/icon.tsx'
import { Sheet } from '@fairlot/ui/sheet.tsx'

export type LeverageOption = {
  readonly leverage: number
  /** What it would hold back; null while unknown. */ readonly margin: string | null
}

type LeverageFieldProps = {
  options: readonly LeverageOption[]
  value: number | null
  /** The margin is the same at every leverage. */
  isMarginFixed: boolean
  onChoose: (leverage: number) => void
}

/** The instrument's own leverages, each with the margin it would hold back, in a sheet. */
export function LeverageField({ options, value, isMarginFixed, onChoose }: LeverageFieldProps) {
  const t = useTranslations('ticket')
  const app = useTranslations('app')
  const [isOpen, setIsOpen] = useState(false)
  const choose = (leverage: number) => {
    setIsOpen(false)
    onChoose(leverage)
  }
  return (
    <Field label={t('leverage')}>
      {(ids) => (
        <>
          <button
            {...ids}
            type="button"
            disabled={value === null}
            aria-haspopup="dialog"
            onClick={() => setIsOpen(true)}
            className={`${controlClass} flex items-center justify-center gap-1 font-bold`}
          >
            <span className="min-w-0 truncate">
              <bdi>{value === null ? t('none') : t('leverageValue', { leverage: value })}</bdi>
            </span>
            {value !== null && <Icon of={ChevronDown} size={16} />}
          </button>
          <Sheet
            isOpen={isOpen}
            onClose={() => setIsOpen(false)}
            title={t('leverageTitle')}
            closeLabel={app('close')}
          >
            <p className="pb-2 text-note text-second">
              {t(isMarginFixed ? 'leverageTextFixed' : 'leverageText')}
            </p>
            <ul className="divide-y divide-line">
              {options.map((option) => (
                <LeverageRow
                  key={option.leverage}
                  option={option}
                  isChosen={option.leverage === value}
                  onChoose={choose}
                />
              ))}
            </ul>
          </Sheet>
        </>
      )}
    </Field>
  )
}

type LeverageRowProps = { option: LeverageOption; isChosen: boolean; onChoose: (leverage: number) => void }

function LeverageRow({ option, isChosen, onChoose }: LeverageRowProps) {
  const t = useTranslations('ticket')
  return (
    <li>
      <button
        type="button"
        aria-pressed={isChosen}
        onClick={() => onChoose(option.leverage)}
        className="flex min-h-13 w-full items-center gap-3 text-start"
      >
        <bdi className="min-w-16 font-bold">{t('leverageValue', { leverage: option.leverage })}</bdi>
        <span className="grow text-note text-second">
          {option.margin !== null && t('leverageMargin', { margin: option.margin })}
        </span>
        {isChosen && <Icon of={Check} />}
      </button>
    </li>
  )
}
