import { chooseLanguage } from '@fairlot/contract'
import { currentLanguage, onLanguageChange } from '../device/language.ts'
import { readStored, writeStored } from '../device/storage.ts'
import { request } from '../requests/request.ts'
import { currentToken, onTokenChange } from './token.ts'

/**
 * Tells the server of the reader's last choice of a language, for mails and text messages. A visitor's is told with the log-in, one
 * that did not arrive at the next start.
 */
export function startTellingLanguage(): void {
  onLanguageChange(tell)
  onTokenChange(tell)
  tell()
}

function tell(): void {
  if (currentToken() === null || readStored('isLanguageUntold') === null) return
  const language = currentLanguage()
  request(chooseLanguage, { language }, { isSilent: true, isInitial: true }).then(
    () => currentLanguage() === language && writeStored('isLanguageUntold', null),
    () => undefined,
  )
}
