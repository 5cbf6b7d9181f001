import { BuildingScreen } from '../building-screen.tsx'

export const TradePage = () => <BuildingScreen name="trade" />
