import { Check, ChevronDown } from 'lucide-react'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import type { Country } from '@fairlot/contract'
import { controlClass, Field, TextField } from '@fairlot/ui/forms/field.tsx'
import { Icon } from '@fairlot/ui/graphics/icon.tsx'
import { Sheet } from '@fairlot/ui/overlays/sheet.tsx'
import { Skeleton } from '@fairlot/ui/feedback/skeleton.tsx'
import { TextButton } from '@fairlot/ui/controls/text-button.tsx'
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

/** The country, chosen from a searchable list. One that is not served shows that at once. */
export function CountryField({
  label,
  hint,
  countryId,
  hasCallingCode,
  problem,
  onChange,
}: CountryFieldProps) {
  const t = useTranslations()
  const { data: countries, isError, refetch } = useCountries()
  const [isOpen, setIsOpen] = useState(false)
  const [openings, setOpenings] = useState(0)
  if (isError && !countries)
    return (
      <p className="text-note text-danger">
        {t('auth.areasFailed')} <TextButton onClick={() => void refetch()}>{t('app.retry')}</TextButton>
      </p>
    )
  if (!countries) return <Skeleton shape="h-16 w-full" />
  const country = countryOf(countries, countryId)
  const blocked = country?.isBlocked ? t('auth.areaBlocked', { area: country.name }) : null
  return (
    <>
      <Field label={label} hint={hint} problem={problem ?? blocked}>
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
            <span className="min-w-0 flex-1">{country?.name}</span>
            {hasCallingCode && (
              <bdi dir="ltr" translate="no" className="text-second">
                +{country?.callingCode}
              </bdi>
            )}
            <span className="text-second">
              <Icon of={ChevronDown} size={16} />
            </span>
          </button>
        )}
      </Field>
      <Sheet isOpen={isOpen} onClose={() => setIsOpen(false)} title={label} closeLabel={t('app.close')}>
        {/* A new key per opening resets the search. */}
        <CountryList
          key={openings}
          countries={countries}
          chosen={country?.id ?? null}
          onChoose={({ id }) => {
            setIsOpen(false)
            onChange(id)
          }}
        />
      </Sheet>
    </>
  )
}

type CountryListProps = {
  countries: readonly Country[]
  chosen: number | null
  onChoose: (country: Country) => void
}

/** Every country, searchable by name, two-letter code or calling code. Enter chooses the first. */
function CountryList({ countries, chosen, onChoose }: CountryListProps) {
  const t = useTranslations('auth')
  const [text, setText] = useState('')
  const found = findCountries(countries, text)
  return (
    <>
      <div className="sticky top-15 z-10 bg-surface pb-2">
        <TextField
          role="searchbox"
          inputMode="search"
          label={t('areaSearch')}
          autoComplete="off"
          enterKeyHint="done"
          autoFocus
          value={text}
          onChange={setText}
          onKeyDown={(event) => event.key === 'Enter' && found[0] && onChoose(found[0])}
        />
      </div>
      <ul aria-label={t('area')} className="min-h-[60dvh] divide-y divide-line">
        {found.map((country) => (
          <li key={country.id}>
            <CountryRow
              country={country}
              isChosen={country.id === chosen}
              onChoose={() => onChoose(country)}
            />
          </li>
        ))}
      </ul>
      <p role="status" className="py-3 text-note text-second empty:hidden">
        {found.length === 0 && t('areaNone', { text })}
      </p>
    </>
  )
}

function CountryRow({
  country,
  isChosen,
  onChoose,
}: {
  country: Country
  isChosen: boolean
  onChoose: () => void
}) {
  const t = useTranslations('auth')
  return (
    <button
      type="button"
      aria-pressed={isChosen}
      onClick={onChoose}
      className="flex min-h-12 w-full items-center gap-3 py-2 text-start"
    >
      <span className="min-w-0 flex-1">
        <span className={isChosen ? 'font-bold' : ''}>{country.name}</span>
        {country.isBlocked && <span className="block text-note text-second">{t('areaNotServed')}</span>}
      </span>
      {isChosen && (
        <span className="text-brass">
          <Icon of={Check} size={16} />
        </span>
      )}
      <bdi dir="ltr" translate="no" className="text-second">
        +{country.callingCode}
      </bdi>
    </button>
  )
}

/** Lower case without diacritics, so that "Cote" finds "Côte". */
const normalize = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().trim()

/**
 * Finds countries by calling code when the text begins with a digit or a plus, otherwise by a part of the name or the
 * two-letter code. Names that begin with the text come first.
 */
export function findCountries(countries: readonly Country[], text: string): readonly Country[] {
  const wanted = normalize(text)
  const digits = /^\+?(\d+)$/.exec(wanted)?.[1]
  if (digits !== undefined) return countries.filter(({ callingCode }) => callingCode.startsWith(digits))
  const isFirst = ({ name, code }: Country) =>
    normalize(name).startsWith(wanted) || code.toLowerCase() === wanted
  const found = countries.filter((country) => isFirst(country) || normalize(country.name).includes(wanted))
  return wanted === ''
    ? countries
    : [...found.filter(isFirst), ...found.filter((country) => !isFirst(country))]
}
