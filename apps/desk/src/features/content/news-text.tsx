import type { LanguageCode } from '@fairlot/contract'
import { CONTENT_LENGTH } from '@fairlot/contract/desk'
import { TextField } from '@fairlot/ui/field.tsx'
import { directionOf, LANGUAGE_TAGS } from '../../i18n/languages.ts'
import { LanguageTabs } from './language-tabs.tsx'
import { RichTextField } from './rich-text-field.tsx'
import type { ContentDraft } from './use-content-draft.ts'

type NewsTextProps = {
  draft: ContentDraft
  language: LanguageCode
  isReadOnly: boolean
  onLanguage: (language: LanguageCode) => void
}

/** The words of one language. */
export function NewsText({ draft, language, isReadOnly, onLanguage }: NewsTextProps) {
  const text = draft.textIn(language)
  const written = { lang: LANGUAGE_TAGS[language], dir: directionOf(language) }
  return (
    <>
      <LanguageTabs selected={language} isWritten={draft.isWritten} onSelect={onLanguage} />
      <TextField
        {...written}
        label="Title"
        value={text.title}
        maxLength={CONTENT_LENGTH.title}
        readOnly={isReadOnly}
        onChange={(title) => draft.changeText(language, { title })}
      />
      <TextField
        {...written}
        label="Summary"
        value={text.summary}
        maxLength={CONTENT_LENGTH.summary}
        readOnly={isReadOnly}
        hint="Stands in the list below the title."
        onChange={(summary) => draft.changeText(language, { summary })}
      />
      <RichTextField
        key={language}
        {...written}
        label="Text"
        initial={text.body}
        isReadOnly={isReadOnly}
        onChange={(body) => draft.changeText(language, { body })}
      />
    </>
  )
}
