import { ChevronDown } from 'lucide-react'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { controlClass, Field } from '@fairlot/ui/field.tsx'
import { Icon } from '@fairlot/ui/icon.tsx'
import { Sheet } from '@fairlot/ui/sheet.tsx'
import { Skeleton } from '@fairlot/ui/skeleton.tsx'
import { TextButton } from '@fairlot/ui/text-button.tsx'
import { CountryList } from './country-list.tsx'
import { countryOf, useCountries } from './queries.ts'

type CountryFieldProps = {
  label: string
  hint?: string
  countryId: number | null
  /** Shows the calling code too: a phone number follows. */
  hasCallingCode: boolean
  problem: string | undefined
  onChange: (countryId: number) => void
}

/** The country, chosen from a list that can be searched. One that is not served says so at once. */
export function CountryField({
  label,
  hint,
  countryId,
  hasCallingCode,
  problem,
  onChange,
}: CountryFieldProps) {
  const t = useTranslations()
  const { data: areas, isError, refetch } = useCountries()
  const [isOpen, setIsOpen] = useState(false)
  const [openings, setOpenings] = useState(0)
  if (isError && !areas)
    return (
      <p className="text-note text-danger">
        {t('auth.areasFailed')} <TextButton onClick={() => void refetch()}>{t('app.retry')}</TextButton>
      </p>
    )
  if (!areas) return <Skeleton shape="h-16 w-full" />
  const area = countryOf(areas, countryId)
  const refusal = area?.isBlocked ? t('auth.areaBlocked', { area: area.name }) : null
  return (
    <>
      <Field label={label} hint={hint} problem={problem ?? refusal}>
        {({ id, 'aria-describedby': describedBy, 'aria-invalid': isInvalid }) => (
          <button
            type="button"
            id={id}
            aria-describedby={describedBy}
            aria-haspopup="dialog"
            data-invalid={isInvalid}
            onClick={() => {
              setIsOpen(true)
              setOpenings(openings + 1)
            }}
            className={`${controlClass} flex items-center gap-3 py-2 text-start data-[invalid=true]:ring-1 data-[invalid=true]:ring-danger`}
          >
            <span className="min-w-0 flex-1">{area?.name}</span>
            {hasCallingCode && (
              <bdi dir="ltr" className="text-second">
                +{area?.callingCode}
              </bdi>
            )}
            <span className="text-second">
              <Icon of={ChevronDown} size={16} />
            </span>
          </button>
        )}
      </Field>
      <Sheet isOpen={isOpen} onClose={() => setIsOpen(false)} title={label} closeLabel={t('app.close')}>
        {/* Each opening begins with the whole list. */}
        <CountryList
          key={openings}
          areas={areas}
          chosen={area?.id ?? null}
          onChoose={({ id }) => {
            setIsOpen(false)
            onChange(id)
          }}
        />
      </Sheet>
    </>
  )
}
