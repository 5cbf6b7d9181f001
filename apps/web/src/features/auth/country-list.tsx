import type { Country } from '@fairlot/contract'
import { Check } from 'lucide-react'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { TextField } from '@fairlot/ui/field.tsx'
import { Icon } from '@fairlot/ui/icon.tsx'
import { findCountries } from './find-countries.ts'

type CountryListProps = {
  areas: readonly Country[]
  chosen: number | null
  onChoose: (area: Country) => void
}

/** Every country, found by its name, its letters or its calling code. Enter takes the first. */
export function CountryList({ areas, chosen, onChoose }: CountryListProps) {
  const t = useTranslations('auth')
  const [text, setText] = useState('')
  const found = findCountries(areas, text)
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
        {found.map((area) => (
          <li key={area.id}>
            <AreaRow area={area} isChosen={area.id === chosen} onChoose={() => onChoose(area)} />
          </li>
        ))}
      </ul>
      <p role="status" className="py-3 text-note text-second empty:hidden">
        {found.length === 0 && t('areaNone', { text })}
      </p>
    </>
  )
}

function AreaRow({ area, isChosen, onChoose }: { area: Country; isChosen: boolean; onChoose: () => void }) {
  const t = useTranslations('auth')
  return (
    <button
      type="button"
      aria-pressed={isChosen}
      onClick={onChoose}
      className="flex min-h-12 w-full items-center gap-3 py-2 text-start"
    >
      <span className="min-w-0 flex-1">
        <span className={isChosen ? 'font-bold' : ''}>{area.name}</span>
        {area.isBlocked && <span className="block text-note text-second">{t('areaNotServed')}</span>}
      </span>
      {isChosen && (
        <span className="text-brass">
          <Icon of={Check} size={16} />
        </span>
      )}
      <bdi dir="ltr" className="text-second">
        +{area.callingCode}
      </bdi>
    </button>
  )
}
