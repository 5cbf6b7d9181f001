import { HouseCards } from '../features/risk/house-cards.tsx'
import { WaitingScreen } from '../features/waiting/waiting-screen.tsx'
import { useMay } from '../live/session.ts'

/** What waits, and below it the house at a glance for whoever may see risk. */
export const WaitingSection = () => <WaitingScreen cards={useMay('viewRisk') ? <HouseCards /> : null} />
