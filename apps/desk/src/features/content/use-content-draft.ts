import { LANGUAGE_CODES, type LanguageCode } from '@fairlot/contract'
import type { ContentItem, ContentText } from '@fairlot/contract/desk'
import { useState } from 'react'

type Head = Pick<ContentItem, 'kind' | 'category' | 'isPinned' | 'picture'>

/** What an operator is writing, beside the item as it is kept. */
export type ContentDraft = {
  readonly head: Head
  readonly changeHead: (change: Partial<Head>) => void
  readonly textIn: (language: LanguageCode) => ContentText
  readonly changeText: (language: LanguageCode, change: Partial<ContentText>) => void
  readonly isWritten: (language: LanguageCode) => boolean
  /** All that has words in it. */
  readonly written: readonly ContentText[]
  /** Those that were changed since the item was opened. */
  readonly changed: readonly ContentText[]
  readonly isChanged: boolean
}

const EMPTY_HEAD: Head = { kind: 'announcement', category: 'company', isPinned: false, picture: null }
const EMPTY = { title: '', summary: '', body: '' }

const hasWords = ({ title, body }: Pick<ContentText, 'title' | 'body'>): boolean =>
  title.trim() !== '' || body.replace(/<(?!img|hr)[^>]*>|\s/g, '') !== ''

/** Begins with an item as it is kept, or with nothing. */
export function useContentDraft(item: ContentItem | null): ContentDraft {
  const [head, setHead] = useState<Partial<Head>>({})
  const [texts, setTexts] = useState<Partial<Record<LanguageCode, ContentText>>>({})
  const keptIn = (language: LanguageCode): ContentText =>
    item?.texts.find((text) => text.language === language) ?? { language, ...EMPTY }
  const textIn = (language: LanguageCode) => texts[language] ?? keptIn(language)
  const changed = Object.values(texts).filter((text) => !isSame(text, keptIn(text.language)))
  const { kind, category, isPinned, picture } = { ...(item ?? EMPTY_HEAD), ...head }
  return {
    head: { kind, category, isPinned, picture },
    changeHead: (change) => setHead({ ...head, ...change }),
    textIn,
    changeText: (language, change) =>
      setTexts((current) => ({
        ...current,
        [language]: { ...(current[language] ?? keptIn(language)), ...change },
      })),
    isWritten: (language) => hasWords(textIn(language)),
    written: LANGUAGE_CODES.map(textIn).filter(hasWords),
    changed,
    isChanged: changed.length > 0 || Object.keys(head).length > 0,
  }
}

const isSame = (one: ContentText, other: ContentText): boolean =>
  one.title === other.title && one.summary === other.summary && one.body === other.body
