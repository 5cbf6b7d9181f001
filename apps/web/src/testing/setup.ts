import '../../../../testing/flush-renders.ts'
import '../app/app.css'
