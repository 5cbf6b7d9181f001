import { createContext, use, useEffect, useMemo, useState } from 'react'
import type { ReactNode } from 'react'
import { IntlProvider } from 'use-intl'
import { loadMessages, textLanguage } from './catalogue.ts'
import type { Messages } from './catalogue.ts'
import { figureFormat, numberTag } from './figure.ts'
import type { FigureFormat } from './figure.ts'
import { directionOf, tagOf } from './language.ts'
import type { Language } from './language.ts'
import { momentFormat } from './moment.ts'
import type { MomentFormat } from './moment.ts'

export type Speech = {
  /** The language the reader chose; texts may still be English until its catalogue exists. */
  language: Language
  /** BCP 47 tag of the texts and figures shown. */
  tag: string
  figures: FigureFormat
  moments: MomentFormat
}

const SpeechContext = createContext<Speech | null>(null)

/** The reader's language with its figures and moments. */
export function useSpeech(): Speech {
  const speech = use(SpeechContext)
  if (!speech) throw new Error('useSpeech needs a SpeechProvider above it')
  return speech
}

/** The texts of one language. */
export type Texts = { language: Language; messages: Messages }

type SpeechProviderProps = { language: Language; first: Texts; children: ReactNode }

/** Shows everything below in `language`. The old texts stay until the new ones are here. */
export function SpeechProvider({ language, first, children }: SpeechProviderProps) {
  const [texts, setTexts] = useState(first)
  useEffect(() => {
    let isCurrent = true
    if (language === texts.language) return
    void loadMessages(language).then((messages) => isCurrent && setTexts({ language, messages }))
    return () => {
      isCurrent = false
    }
  }, [language, texts.language])

  const shown = textLanguage(texts.language)
  const tag = tagOf(shown)
  useEffect(() => {
    document.documentElement.lang = tag
    document.documentElement.dir = directionOf(shown)
  }, [tag, shown])
  const speech = useMemo(
    () => ({ language: texts.language, tag, figures: figureFormat(tag), moments: momentFormat(tag) }),
    [texts.language, tag],
  )
  return (
    <SpeechContext value={speech}>
      <IntlProvider locale={numberTag(tag)} messages={texts.messages} timeZone={zone}>
        {children}
      </IntlProvider>
    </SpeechContext>
  )
}

const zone = Intl.DateTimeFormat().resolvedOptions().timeZone
