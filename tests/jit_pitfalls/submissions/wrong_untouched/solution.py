# nothing was answered
