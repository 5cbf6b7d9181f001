import { useEffect } from 'react'
import { isRedUp } from '../i18n/language.ts'
import { useSpeech } from '../i18n/provider.tsx'
import { usePreferences } from '../live/preferences.ts'

/** Writes the chosen theme and the colour of a rise onto the document, where the tokens read them. */
export function Appearance() {
  const { theme, rise } = usePreferences()
  const { language } = useSpeech()
  const isRed = rise === 'red' || (rise === 'language' && isRedUp(language))
  useEffect(() => {
    const { dataset } = document.documentElement
    if (theme === 'system') delete dataset['theme']
    else dataset['theme'] = theme
    if (isRed) dataset['rise'] = 'red'
    else delete dataset['rise']
  }, [theme, isRed])
  return null
}
