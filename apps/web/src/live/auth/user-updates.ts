import { onServerMessage } from '../connection/server-connection.ts'
import { fetchAgain } from '../requests/query-client.ts'

/** Words about what operators did to the user. */
const ABOUT_USER: readonly string[] = [
  ...['accountStatus', 'orderClosedByOperator'],
  ...['identityVerified', 'identityRejected', 'identityUnverified'],
]

/** Asks anew who the user is when an operator has changed what the account may do, and what was done about it. Called once. */
export function startUserUpdates(): void {
  onServerMessage('notice', ({ notice: { kind } }) => {
    if (ABOUT_USER.includes(kind)) void fetchAgain({ queryKey: ['user'] })
  })
}
