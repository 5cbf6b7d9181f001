import '../app/app.css'
