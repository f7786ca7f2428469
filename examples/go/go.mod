module webhook

go 1.19
