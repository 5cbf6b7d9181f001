// Runs before the app, as a task of its own: starting React and the app in one would hold up taps on a slow phone.
import 'react-dom/client'
