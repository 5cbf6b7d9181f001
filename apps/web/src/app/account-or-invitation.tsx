import { AccountCard } from '../features/trading/account/account-card.tsx'
import { DemoInvitation } from '../features/session/demo-invitation.tsx'
import { useIsLoggedIn } from '../live/token.ts'

/** What stands at the top of the markets. */
export const AccountOrInvitation = () => (useIsLoggedIn() ? <AccountCard /> : <DemoInvitation />)
