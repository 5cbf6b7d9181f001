import { LANGUAGE_CODES, type LanguageCode } from '@fairlot/contract'
import { classNames } from '@fairlot/ui/theme/class-names.ts'
import { LANGUAGE_NAMES } from '../../i18n/languages.ts'

type LanguageTabsProps = {
  selected: LanguageCode
  isWritten: (language: LanguageCode) => boolean
  onSelect: (language: LanguageCode) => void
}

/** Tabs for the fifteen languages; those without a text are marked. */
export const LanguageTabs = ({ selected, isWritten, onSelect }: LanguageTabsProps) => (
  <div
    role="group"
    aria-label="Language"
    className="no-scrollbar flex gap-1 overflow-x-auto tablet:flex-wrap"
  >
    {LANGUAGE_CODES.map((language) => (
      <button
        key={language}
        type="button"
        aria-pressed={language === selected}
        aria-label={`${LANGUAGE_NAMES[language]}, ${isWritten(language) ? 'written' : 'missing'}`}
        onClick={() => onSelect(language)}
        className={classNames(
          'flex min-h-11 shrink-0 items-center gap-1.5 rounded-chip px-3 text-note font-medium',
          language === selected ? 'bg-ink text-on-ink' : 'text-ink ring-1 ring-line ring-inset',
          !isWritten(language) && language !== selected && 'text-third',
        )}
      >
        <span
          aria-hidden
          className={classNames(
            'size-2 rounded-full',
            isWritten(language) ? 'bg-up' : 'ring-1 ring-current ring-inset',
          )}
        />
        {LANGUAGE_NAMES[language]}
      </button>
    ))}
  </div>
)
