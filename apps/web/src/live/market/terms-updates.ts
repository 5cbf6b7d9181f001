import { onServerMessage } from '../connection/server-connection.ts'
import { fetchAgain } from '../requests/query-client.ts'

/** The key of the announced changes of terms. */
export const TERMS_CHANGES = ['termsChanges']

/** Asks again whenever terms are announced, taken back or take effect; called once at the start of the app. */
export function startTermsUpdates(): void {
  onServerMessage('marketState', ({ changedTerms }) => {
    if (changedTerms.length > 0) void fetchAgain({ queryKey: TERMS_CHANGES })
  })
}
