import { RiskCards } from '../features/risk/risk-cards.tsx'
import { WaitingScreen } from '../features/waiting/waiting-screen.tsx'
import { useMay } from '../live/session.ts'

/** The open cases, with the risk cards for roles that may see risk. */
export const WaitingSection = () => <WaitingScreen cards={useMay('viewRisk') ? <RiskCards /> : null} />
